'use strict';

// UTF-8 in JavaScript, for short texts.

function utf8Length(text) {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (code >= 0xd800 && code <= 0xdbff && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length += 4;
      i++;
    } else length += 3;
  }
  return length;
}

// Writes whole characters only; gives the count of code units read and of bytes written.
function utf8Write(text, bytes, offset, limit) {
  let at = offset;
  const end = offset + limit;
  let i = 0;
  for (; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      if (at >= end) break;
      bytes[at++] = code;
    } else if (code < 0x800) {
      if (at + 2 > end) break;
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 63);
    } else {
      if ((code & 0xfc00) === 0xd800 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
        if (at + 4 > end) break;
        code = 0x10000 + ((code & 0x3ff) << 10) + (text.charCodeAt(++i) & 0x3ff);
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 63);
        bytes[at++] = 0x80 | ((code >> 6) & 63);
        bytes[at++] = 0x80 | (code & 63);
        continue;
      }
      if ((code & 0xf800) === 0xd800) code = 0xfffd;
      if (at + 3 > end) break;
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 63);
      bytes[at++] = 0x80 | (code & 63);
    }
  }
  return { read: i, written: at - offset };
}

const kChunk = 4096;

// Decodes bytes[start, end); ill-formed sequences become U+FFFD, one for each maximal part, or throw if fatal.
// With `keep`, an unfinished sequence at the end is left over: its start is given in keep.rest.
function utf8Decode(bytes, start, end, fatal, keep) {
  let text = '';
  let units = [];
  let i = start;
  while (i < end) {
    const first = bytes[i];
    if (first < 0x80) {
      units.push(first);
      i++;
    } else {
      let need = 0;
      let low = 0x80;
      let high = 0xbf;
      let code = 0;
      if (first >= 0xc2 && first <= 0xdf) {
        need = 1;
        code = first & 0x1f;
      } else if (first >= 0xe0 && first <= 0xef) {
        need = 2;
        code = first & 0x0f;
        if (first === 0xe0) low = 0xa0;
        else if (first === 0xed) high = 0x9f;
      } else if (first >= 0xf0 && first <= 0xf4) {
        need = 3;
        code = first & 0x07;
        if (first === 0xf0) low = 0x90;
        else if (first === 0xf4) high = 0x8f;
      }
      let j = i + 1;
      let good = need > 0;
      for (let n = 0; n < need; n++, j++) {
        if (j >= end) {
          if (keep !== undefined) {
            keep.rest = i;
            if (units.length > 0) text += String.fromCharCode.apply(null, units);
            return text;
          }
          good = false;
          break;
        }
        const next = bytes[j];
        if (next < low || next > high) {
          good = false;
          break;
        }
        low = 0x80;
        high = 0xbf;
        code = (code << 6) | (next & 63);
      }
      if (!good) {
        if (fatal) return undefined;
        units.push(0xfffd);
        i = need === 0 ? i + 1 : j;
      } else {
        if (code > 0xffff) {
          code -= 0x10000;
          units.push(0xd800 | (code >> 10), 0xdc00 | (code & 0x3ff));
        } else {
          units.push(code);
        }
        i = j;
      }
    }
    if (units.length >= kChunk) {
      text += String.fromCharCode.apply(null, units);
      units = [];
    }
  }
  if (units.length > 0) text += String.fromCharCode.apply(null, units);
  if (keep !== undefined) keep.rest = end;
  return text;
}

module.exports = { utf8Length, utf8Write, utf8Decode };
