# shellcheck shell=sh
# What a test is not to have from whoever runs it: read by run.sh and
# as_caller.sh. Those that are about one of these set it themselves.
unset KTOP_SIM KTOP_KPERF KTOP_KPERFDATA KTOP_SEPARATE KTOP_THEME V
unset SUDO_UID SUDO_GID SUDO_USER DOAS_USER PKEXEC_UID
unset COLUMNS LINES NO_COLOR COLORTERM COLORFGBG TERMCAP TMUX STY XTERM_VERSION
unset TERM_PROGRAM TERM_PROGRAM_VERSION VTRUN_TIMEOUT POSIXLY_CORRECT
unset XDG_CONFIG_HOME XDG_STATE_HOME
unset PROMPT_COMMAND BASH_ENV ENV PYTHONWARNINGS GREP_OPTIONS
unset LC_ALL LC_CTYPE LC_NUMERIC LC_TIME LC_COLLATE LC_MESSAGES LANGUAGE
# Before macOS 15 there is no C.UTF-8.
LANG=en_US.UTF-8
! locale -a 2>/dev/null | grep -qi '^C\.utf-*8$' || LANG=C.UTF-8
TERM=xterm-256color
INPUTRC=/dev/null
# The state of a simulated kernel as text; make says it.
SIM_STATE=${SIM_STATE:-$here/../../build/sim-state}
PYTHONUTF8=1
export LANG TERM INPUTRC SIM_STATE PYTHONUTF8
umask 022 # some start ktop as somebody else, in their own folder
