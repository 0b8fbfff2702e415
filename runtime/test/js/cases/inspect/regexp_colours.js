'use strict';

// Regular expressions in colours: each part as its colour's first letter and its text.

const {inspect}=require('util');
const C = {31:'r',32:'g',33:'y',36:'c',35:'m'};
const show=(re)=>{ const s=inspect(re,{colors:true}); console.log(String(re),'\t',s.replace(/\x1b\[(\d+)m(.*?)\x1b\[39m/gs,(m,a,b)=>`${C[a]||a}:${b} `)); };
for (let d=0; d<=6; d++) show(new RegExp('('.repeat(d)+'a.\\d+b*c?|[^a-z\\d^x-]{2,3}?\\u0041\\x41\\cA\\0\\b^$-{2}x{3,}\\n\\\\\\('+')'.repeat(d)));
show(/(?<name>a)\k<name>(?:\k<name>)/);
show(/(?<n>(?<m>(?<o>\k<n>)\k<m>)\k<o>)/);
show(/(?:a(?=b(?!c(?<=d(?<!e)))))/);
show(/\p{L}\P{Lu}(\p{L}(\p{L}))/u); show(/\u{1F600}(\u{1F600}(\u{1F600}[\u{1F600}\p{L}\x41\u0041]))/u);

const R=(x,f='')=>{try{show(new RegExp(x,f))}catch(e){console.log(x, e.name)}};
R('[\\p{L}--[a-z]]','v');R('[\\p{L}&&[^q]]','v');R('(?i:a)(?-i:b)(?im-s:c)');R('[\\]\\[]');R('a{,3}b{x}');R('\\p{x');R('\\u{12');R('\\k<x');R('\\x4');R('\\u12');R('[]a');R('[^]');R('[a-\\d]');R('[\\w-z]');R('[--a]');R('[a-c-e]');R(']{}');R('a{1}?');R('\\1\\12\\c1');R('\\/');R('a','dgimsuy');R('[/]');R('[\\b]');R('(a|b)|c'); R('((?<a>x)|(?:y)+)*?'); R('[(a)]'); R('\\c');R('\\00');R('\\u00e');R('[\\u0041-\\x42]');R('a??');R('(?=a)+');R('[^^a]');R('[a^]');R('[\\d-]');R('😀','u');R('😀');
