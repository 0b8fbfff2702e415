// Names that cannot be linked: which of several errors is reported, and re-exports that lead in a circle. What failed fails again.
// Of broken2, a part of a cycle that could not be loaded, Node reports an error of its own loader.
for (const name of ['main', 'a', 'b', 'c1', 'c2', 'd', 'e', 'g', 'main', 'broken1', 'broken2', 'broken1'])
  await import(`./support/links/${name}.mjs`).catch((error) =>
    console.log(name, name === 'broken2' ? error.message.startsWith('record') : `${error.name} ${error.message}`),
  );
