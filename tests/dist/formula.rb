# Does what Homebrew does with a formula: ruby formula.rb FILE PREFIX
class Formula
  def self.method_missing(name, *words, &block)
    (@said ||= {})[name] = block || words.first
  end

  def self.respond_to_missing?(*)
    true
  end

  def self.said
    @said
  end

  def prefix
    ARGV[1]
  end

  def bin
    "#{prefix}/bin"
  end

  def system(*words)
    Kernel.system(*words, out: File::NULL) || abort("#{words} failed")
  end

  def shell_output(command)
    `#{command}`
  end

  def assert_match(part, text)
    text.include?(part) || abort("no #{part} in: #{text}")
  end
end

# The class has a method test already, as Kernel has.
def Formula.test(&block)
  (@said ||= {})[:test] = block
end

load ARGV[0]
%i[desc homepage url version sha256 license depends_on test].each do |name|
  Ktop.said[name] || abort("the formula has no #{name}")
end
Ktop.said.each do |name, text|
  abort("#{name} is not filled in: #{text}") if text.to_s.include?("@")
end
formula = Ktop.new
formula.install
formula.instance_eval(&Ktop.said[:test])
