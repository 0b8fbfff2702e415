'use strict';

// Internationalized host names: Unicode to ASCII (Punycode) and back. The binding's ICU does it if it is available;
// else the mapping is the engine's own case folding and compatibility normalization, which covers common hosts.

const icu = internalBinding('icu');

const kBase = 36;
const kTMin = 1;
const kTMax = 26;
const kSkew = 38;
const kDamp = 700;
const kInitialBias = 72;
const kInitialN = 128;

function adapt(delta, count, first) {
  delta = first ? Math.floor(delta / kDamp) : delta >> 1;
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((kBase - kTMin) * kTMax) >> 1; k += kBase) delta = Math.floor(delta / (kBase - kTMin));
  return k + Math.floor(((kBase - kTMin + 1) * delta) / (delta + kSkew));
}

function digitOf(value) {
  return String.fromCharCode(value + (value < 26 ? 97 : 22));
}

function punycodeEncode(label) {
  const points = Array.from(label, (c) => c.codePointAt(0));
  let output = points
    .filter((p) => p < 128)
    .map((p) => String.fromCharCode(p))
    .join('');
  const basic = output.length;
  let handled = basic;
  if (basic > 0) output += '-';
  let n = kInitialN;
  let delta = 0;
  let bias = kInitialBias;
  while (handled < points.length) {
    let m = Infinity;
    for (const p of points) if (p >= n && p < m) m = p;
    delta += (m - n) * (handled + 1);
    n = m;
    for (const p of points) {
      if (p < n) delta++;
      if (p === n) {
        let q = delta;
        for (let k = kBase; ; k += kBase) {
          const t = k <= bias ? kTMin : k >= bias + kTMax ? kTMax : k - bias;
          if (q < t) break;
          output += digitOf(t + ((q - t) % (kBase - t)));
          q = Math.floor((q - t) / (kBase - t));
        }
        output += digitOf(q);
        bias = adapt(delta, handled + 1, handled === basic);
        delta = 0;
        handled++;
      }
    }
    delta++;
    n++;
  }
  return output;
}

function punycodeDecode(text) {
  const output = [];
  const dash = text.lastIndexOf('-');
  for (let i = 0; i < Math.max(dash, 0); i++) {
    const code = text.charCodeAt(i);
    if (code >= 128) return undefined;
    output.push(code);
  }
  let i = 0;
  let n = kInitialN;
  let bias = kInitialBias;
  for (let at = dash > 0 ? dash + 1 : 0; at < text.length;) {
    const before = i;
    for (let w = 1, k = kBase; ; k += kBase) {
      if (at >= text.length) return undefined;
      const code = text.charCodeAt(at++);
      const digit =
        code >= 48 && code <= 57
          ? code - 22
          : code >= 65 && code <= 90
            ? code - 65
            : code >= 97 && code <= 122
              ? code - 97
              : kBase;
      if (digit >= kBase) return undefined;
      i += digit * w;
      const t = k <= bias ? kTMin : k >= bias + kTMax ? kTMax : k - bias;
      if (digit < t) break;
      w *= kBase - t;
    }
    const count = output.length + 1;
    bias = adapt(i - before, count, before === 0);
    n += Math.floor(i / count);
    i %= count;
    if (n > 0x10ffff) return undefined;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

const ignored = /[\u00ad\u034f\u200b-\u200d\u2060\u2064\ufeff\ufe00-\ufe0f]/gu;
// The engine makes the classes of such expressions with the function that has them, which takes milliseconds: here only
// where there is no ICU.
function hasDisallowed(text) {
  const others = /[\ufffd\u2028\u2029\u0600-\u0605\u200e\u200f\u202a-\u202e\u2065-\u206f\ufff9-\ufffc]/u;
  return /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text) || others.test(text);
}

function mapText(text) {
  // Capital sharp s and the like fold to what the mapping table says.
  return text
    .replace(ignored, '')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .replace(/\u1e9e/g, 'ss')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC');
}

function toASCII(domain) {
  return typeof icu.toASCII === 'function' ? (icu.toASCII(domain) ?? '') : mappedToASCII(mapText(domain));
}

function mappedToASCII(mapped) {
  if (hasDisallowed(mapped)) return '';
  const labels = [];
  for (const label of mapped.split('.')) {
    if (/^[\x00-\x7f]*$/.test(label)) {
      if (label.startsWith('xn--')) {
        const decoded = punycodeDecode(label.slice(4));
        if (
          decoded === undefined ||
          decoded === '' ||
          /^[\x00-\x7f]*$/.test(decoded) ||
          mapText(decoded) !== decoded ||
          /^\p{M}/u.test(decoded)
        )
          return '';
      }
      labels.push(label);
    } else {
      if (/^\p{M}/u.test(label) || label.startsWith('xn--')) return '';
      labels.push(`xn--${punycodeEncode(label)}`);
    }
  }
  return labels.join('.');
}

function toUnicode(domain) {
  if (typeof icu.toUnicode === 'function') return icu.toUnicode(domain) ?? '';
  return domain
    .split('.')
    .map((label) => {
      if (!label.toLowerCase().startsWith('xn--')) return label;
      return punycodeDecode(label.slice(4)) ?? label;
    })
    .join('.');
}

module.exports = { toASCII, toUnicode };
