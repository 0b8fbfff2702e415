export async function resolve(specifier, context, next) {
  if (specifier === 'virtual:thing') return { url: 'virtual:thing', shortCircuit: true };
  return next(specifier, context);
}
export async function load(url, context, next) {
  if (url === 'virtual:thing') return { format: 'module', source: 'export default 7', shortCircuit: true };
  return next(url, context);
}
