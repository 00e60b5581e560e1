import path from 'node:path';
import type { Consumer } from './consumer.ts';

/** Files that users read: documents, and declarations with the comments that editors show. */
const READ = /^(README|API|CHANGELOG)\.md$|\.d\.c?ts$/;
/** Guides describe the whole product, so only their links are checked. */
const GUIDE = /^docs\//;
/** A guide that a message of the program or a setting links to. */
const NAMED_GUIDE = /(?:(?<!\/main\/)docs\/|document: ")([\w-]+\.md)(?!\w)/g;
const URL_OR_IMPORT = /\bhttps?:\/\/[^\s)>"']+|\b(?:from|import\()\s*["'][^"']+["']|sourceMappingURL=\S+/g;
/** Names of documents and folders that only exist in the repository. */
const ELSEWHERE =
  /\b(?:SPEC|ARCHITECTURE|CONTRIBUTING|DESIGN)\b|\b(?:examples|packages|site|e2e|bench|stories)\/[\w.-]*|\bdocs\/(?![\w-]+\.md)[\w.-]*/g;
const LINK = /\]\(([^)\s]+)\)/g;
const DOCUMENT = /(?<![\w/])[\w./-]+\.mdx?\b/g;

/** Checks that the package's texts only reference files that it contains. Links to the repository must be URLs. */
export function checkReferences({ files, read, manifest }: Consumer): string[] {
  const complaints = ['homepage', 'repository', 'bugs']
    .filter((field) => !(field in manifest))
    .map((field) => `package.json has no "${field}"`);
  for (const file of files.filter((name) => /\.js$/.test(name))) {
    for (const [, page = ''] of read(file).matchAll(NAMED_GUIDE)) {
      if (!files.includes(`docs/${page}`))
        complaints.push(`${file} refers to docs/${page}, which is not in the package`);
    }
  }
  for (const file of files.filter((name) => GUIDE.test(name))) {
    for (const [, target = ''] of read(file).matchAll(LINK)) {
      const [relative = ''] = target.split('#');
      if (!/^(https?:|mailto:|$)/.test(relative) && !files.includes(path.posix.join('docs', relative)))
        complaints.push(`${file} refers to ${target}, which is not in the package`);
    }
  }
  for (const file of files.filter((name) => READ.test(name))) {
    const text = read(file).replace(URL_OR_IMPORT, '');
    for (const [mention] of text.matchAll(ELSEWHERE))
      complaints.push(`${file} mentions ${mention}, which readers lack`);
    const links = [...text.matchAll(LINK)].map(([, target = '']) => target);
    const documents = [...text.matchAll(DOCUMENT)].map(([name]) => name);
    for (const target of [...links, ...documents]) {
      const [relative = ''] = target.split('#');
      const found = path.posix.join(path.posix.dirname(file), relative);
      if (relative !== '' && !files.includes(found))
        complaints.push(`${file} refers to ${target}, which is not in the package`);
    }
  }
  return complaints;
}
