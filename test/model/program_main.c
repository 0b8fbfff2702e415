/* The program itself; inside of Node, addon.c takes its place. */
int model_main(int argc, char **argv);

int main(int argc, char **argv) {
  return model_main(argc, argv);
}
