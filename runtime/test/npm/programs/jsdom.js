// A page with scripts, events, custom elements, observers and storage.
const { JSDOM, VirtualConsole } = require('jsdom');
const virtualConsole = new VirtualConsole();
virtualConsole.on('log', (...values) => console.log('page:', ...values));
virtualConsole.on('jsdomError', (error) => console.log('error:', error.message.split('\n')[0]));
const page = `<!DOCTYPE html><body><p id=a>Hello <b>world</b></p><script>
  var declared = 1;
  window.found = document.querySelector("b").textContent;
  console.log(found, this === window, globalThis === window, window.declared, [] instanceof Array);
  document.getElementById("a").addEventListener("click", (event) => { event.target.className = "clicked"; });
  class Custom extends HTMLElement { connectedCallback() { this.textContent = "custom"; } }
  customElements.define("x-custom", Custom);
  document.body.append(document.createElement("x-custom"));
  setTimeout(() => console.log("timer"), 1);
</script></body>`;
const dom = new JSDOM(page, { runScripts: 'dangerously', url: 'http://example.org/path?q=1', virtualConsole, pretendToBeVisual: true });
const { window } = dom;
const { document } = window;
document.getElementById('a').click();
console.log(document.body.children[0].outerHTML, document.querySelector('x-custom').textContent, window.found, window.declared);
console.log(window.location.search, window.eval('1 + 1'), window.Array === Array, window instanceof window.EventTarget);
window.localStorage.setItem('k', 'v');
console.log(window.localStorage.length, window.getComputedStyle(document.body).display, JSDOM.fragment('<i>x</i>').firstChild.outerHTML);
new window.MutationObserver((records) => console.log('mutations', records.length)).observe(document.body, { childList: true });
document.body.append('text');
const script = document.createElement('script');
script.textContent = 'throw new Error("thrown by a script")';
document.body.append(script);
window.requestAnimationFrame(() => {
  console.log('frame');
  setTimeout(() => window.close(), 20);
});
