let greeting;
export async function initialize(data) {
  greeting = data?.greeting;
}
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('hello:')) return { url: specifier, shortCircuit: true };
  if (specifier === 'hidden') return { shortCircuit: true };
  return next(specifier, context);
}
export async function load(url, context, next) {
  if (url === 'hello:bad') return null;
  if (url === 'hello:open') return { format: 'module', source: '' };
  if (url.startsWith('hello:')) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { format: 'module', source: `export default ${JSON.stringify(`${greeting}, ${url.slice(6)}`)}`, shortCircuit: true };
  }
  const result = await next(url, context);
  if (!url.endsWith('/dep.mjs')) return result;
  return { ...result, source: `${result.source}; export const added = true;` };
}
