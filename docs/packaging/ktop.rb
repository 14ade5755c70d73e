# Homebrew formula; `make packages` replaces the words between @.
class Ktop < Formula
  desc "Top for hardware performance counters"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "libcsv"
  uses_from_macos "ncurses"

  def install
    system "make", "PREFIX=#{prefix}", "install", "install-lib"
  end

  test do
    assert_match "Apple M1 (sim)", shell_output("#{bin}/ktop --sim m1,clock=step -b -n 1")
  end
end
