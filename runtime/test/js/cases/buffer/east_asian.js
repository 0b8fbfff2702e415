'use strict';
// TextDecoder for encodings of several bytes: text of each, cut into pieces anywhere, and what is no character.
const texts = {
  'gbk': 'c4e3bac3a3accac0bde7a3a1414243', 'gb18030': 'c4e3bac3a3a1813094358139ef3041', 'big5': 'a741a66ea141a540acc9a149414243', 'euc-jp': 'a4b3a4f3a4cba4c1a4cfa1a2c0a4b3a6a1aa8eb1414243',
  'shift_jis': '82b182f182c982bf82cd814190a28a458149b1414243', 'euc-kr': 'bec8b3e7c7cfbcbcbfe42c20bcbcb0e821',
};
for (const [name, hex] of Object.entries(texts)) {
  const bytes = Buffer.from(hex, 'hex');
  const text = new TextDecoder(name).decode(bytes);
  console.log(name, new TextDecoder(name).encoding, JSON.stringify(text));
  let same = 0;
  for (let cut = 0; cut <= bytes.length; cut++) {
    const decoder = new TextDecoder(name, { fatal: true });
    const joined = decoder.decode(bytes.subarray(0, cut), { stream: true }) + decoder.decode(bytes.subarray(cut));
    if (joined === text) same++;
  }
  console.log(same === bytes.length + 1);
  const mistake = name === 'big5' ? '41' : '41ff42'; // Node's Big5 has a character for 255
  console.log(JSON.stringify(new TextDecoder(name).decode(Buffer.from(mistake, 'hex'))), JSON.stringify(new TextDecoder(name).decode(bytes.subarray(0, 1))));
  for (const bad of [mistake, 'c4']) {
    try {
      console.log(new TextDecoder(name, { fatal: true }).decode(Buffer.from(bad, 'hex')).length);
    } catch (error) {
      console.log(error.name, error.code);
    }
  }
}
for (const label of ['gb2312', 'sjis', 'cp949', 'windows-949', 'big5-hkscs', 'ms932', 'x-euc-jp']) {
  try {
    console.log(label, new TextDecoder(label).encoding);
  } catch (error) {
    console.log(label, error.code);
  }
}
