// Reads pages, templates and the messages of sources, sentence by sentence: .ci/prose.js FOLDER_OF_NODE_MODULES FILE…
// write-good's rules that fit; its list of weasel words and of wordy ones takes "only", "it is" and "many" for faults, so the ones that
// are faults stand here. Beside them what the house says: no slang, and sentences of at most so many words.
const {readFileSync} = require('node:fs');
const writeGood = require(process.argv[2] + '/write-good');

const LONGEST = 40;
const RULES = {weasel: false, passive: false, tooWordy: false, adverb: false, eprime: false, so: false, illusion: true, thereIs: false, cliches: true};
const HOUSE = [
  [/\b(?:mend(?:s|ed|ing)?)\b/i, 'fix'],
  [/\b(?:utili[sz]e[sd]?|leverages?)\b/i, 'use'],
  [/\bin order to\b/i, 'to'],
  [/\b(?:due to the fact that|in view of the fact that)\b/i, 'because'],
  [/\bprior to\b/i, 'before'],
  [/\bsubsequent(?:ly)? to\b/i, 'after'],
  [/\b(?:is|are|was|were) told\b/i, 'say who tells'],
  [/\b(?:very|really|quite|basically|simply|obviously|clearly|extremely|easily)\b/i, 'leave it out'],
  [/\bin vain\b/i, 'without success'],
  [/\b(?:thereof|therein|hereby|whereby|wherein|heretofore)\b/i, 'a plain word'],
  [/\ba number of\b/i, 'several, or the number'],
  [/\bat this point in time\b/i, 'now']
];

/** What stands between the tags of a template, each on its own. */
const ofTemplate = text => text.replace(/<!--[\s\S]*?-->|<[^>]*>/g, tag => tag.replace(/[^\n]/g, '') + '\n\n');

/** The messages of a source: literals of five words and more, put together where the source does it. Statements in CQL are none. */
const ofSource = text => [...text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/"\s*\+\s*"/g, '').matchAll(/"((?:[^"\\\n]|\\.){20,})"/g)]
  .map(([, literal]) => literal).filter(literal => literal.trim().split(/\s+/).length >= 5 && !/^(INSERT|SELECT|UPDATE|DELETE|CREATE|ALTER|BEGIN)\b/.test(literal)).join('\n\n');

const proseOf = (file, text) => file.endsWith('.java') ? ofSource(text) : file.endsWith('.html') ? ofTemplate(text) : text;

/** Prose of a page: no code, no tables, no headings; a line for each paragraph or entry of a list. */
function paragraphs(text) {
  const found = [];
  let codes = 0;
  let open = null;
  let fence = false;
  text.split('\n').forEach((line, at) => {
    if (/^\s*```/.test(line)) { fence = !fence; open = null; return; }
    if (fence || /^\s*(\||#|<|!\[|$)/.test(line)) { open = null; return; }
    const words = line.replace(/`[^`]*`/g, () => `Code${++codes}`).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/^>\s?/, '');
    if (open === null || /^\s*(-|\d+\.|>)\s/.test(line)) { open = {line: at + 1, text: words.trim()}; found.push(open); }
    else open.text += ' ' + words.trim();
  });
  return found;
}

function complaints(text) {
  const all = [];
  for (const {line, text: paragraph} of paragraphs(text)) {
    writeGood(paragraph, RULES).forEach(each => all.push([line, each.reason]));
    HOUSE.forEach(([word, instead]) => { const found = word.exec(paragraph); if (found) all.push([line, `"${found[0]}": ${instead}`]); });
    paragraph.split(/(?<=[.!?:;])\s+/).forEach(sentence => {
      const words = sentence.split(/\s+/).filter(each => /\w/.test(each)).length;
      if (words > LONGEST) all.push([line, `${words} words: "${sentence.slice(0, 60)}…"`]);
    });
  }
  return all;
}

// The check notices what it is for.
for (const planted of ['The the row.', 'It is told later.', 'Utilize it.', 'one two '.repeat(LONGEST), 'It is an acid test.']) {
  if (complaints(planted).length !== 1) { console.error(`Not noticed once: ${planted}`); process.exit(2); }
}

let found = 0;
for (const file of process.argv.slice(3)) {
  for (const [line, what] of complaints(proseOf(file, readFileSync(file, 'utf8')))) { found++; console.log(`${file}:${line}: ${what}`); }
}
console.log(`${process.argv.length - 3} files, ${found} complaints`);
process.exit(found === 0 ? 0 : 1);
