/*
 * Apple's SDK has this header and zig does not; only ncurses asks for it, for
 * the speed codes of V7 Unix.
 */
#ifndef KTOP_MAC_TTYDEV_H
#define KTOP_MAC_TTYDEV_H

#define B0 0
#define B50 1
#define B75 2
#define B110 3
#define B134 4
#define B150 5
#define B200 6
#define B300 7
#define B600 8
#define B1200 9
#define B1800 10
#define B2400 11
#define B4800 12
#define B9600 13
#define EXTA 14
#define EXTB 15
#define B57600 16
#define B115200 17

#endif
