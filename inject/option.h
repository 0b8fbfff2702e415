/* Names by JavaScript function (ROTA_NAMES=1): the option that makes Node load rota-names.node before the program. It
 * is put into NODE_OPTIONS of this process only: the module takes it out again before the program begins, and a child
 * that is grafted gets its own. Nothing is done in a program that is not Node. */
#ifndef GRAFT_OPTION_H
#define GRAFT_OPTION_H

/* Before main. */
void graft_option_set(void);

#endif
