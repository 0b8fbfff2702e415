await 1; export const z = 1;
