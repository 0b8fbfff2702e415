int PART(void);

int PART(void) {
  return VALUE;
}
