# Nix: nix-build docs/packaging
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "ktop";
  version = builtins.head (builtins.match ".*\nVERSION := ([0-9.]+)\n.*"
    (builtins.readFile ../../Makefile));
  src = ../..;
  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = [ pkgs.libcsv pkgs.ncurses ];
  makeFlags = [ "PREFIX=$(out)" "HARDEN=" ];
  installTargets = [ "install" "install-lib" ];
  doInstallCheck = true;
  installCheckPhase = "$out/bin/ktop --sim m1,clock=step -b -n 1";
  meta = {
    description = "top for hardware performance counters";
    license = pkgs.lib.licenses.mit;
    mainProgram = "ktop";
  };
}
