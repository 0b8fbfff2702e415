/* A shared object that is no addon. */
int plain_number(void);
int plain_number(void) {
  return 7;
}
