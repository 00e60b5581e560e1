/** Writes `dist/custom-elements.json`, which lets editors complete the elements, from `src/embed/types.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const SOURCE = 'src/embed/types.ts';
const EVENTS = 'EarlyAccessEvents';
const TAG_NAMES = 'HTMLElementTagNameMap';
/** The element that dispatches the events. */
const FORM = 'early-access-form';

const source = ts.createSourceFile(SOURCE, readFileSync(SOURCE, 'utf8'), ts.ScriptTarget.Latest, true);
const interfaces = new Map<string, ts.InterfaceDeclaration>();
(function collect(node: ts.Node): void {
  if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
  ts.forEachChild(node, collect);
})(source);

interface Property {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** The first doc comment of a declaration as one line. */
function readDescription(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = comment && ts.getTextOfJSDocComment(comment.comment);
  return (text ?? '').replaceAll(/\s+/g, ' ');
}

function readProperties(name: string): readonly Property[] {
  if (!interfaces.has(name)) throw new Error(`${SOURCE} has no interface ${name}`);
  return readMembers(name);
}

function readMembers(name: string): readonly Property[] {
  return [...(interfaces.get(name)?.members ?? [])].filter(ts.isPropertySignature).map((member) => ({
    name: ts.isStringLiteral(member.name) ? member.name.text : member.name.getText(),
    type: member.type?.getText() ?? 'string',
    description: readDescription(member),
  }));
}

const describeType = ({ type, ...property }: Property) => ({ ...property, type: { text: type } });
const toAttribute = (property: string) => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function describeElement({ name: tagName, type: className }: Property) {
  const declaration = interfaces.get(className);
  const properties = readProperties(className).map(describeType);
  // Attributes without a property.
  const attributes = readMembers(className.replace(/Element$/, 'Attributes')).map(describeType);
  return {
    kind: 'class',
    customElement: true,
    name: className,
    tagName,
    description: declaration && readDescription(declaration),
    superclass: { name: 'HTMLElement' },
    attributes: [
      ...properties.map((property) => ({
        ...property,
        name: toAttribute(property.name),
        fieldName: property.name,
      })),
      ...attributes,
    ],
    members: properties.map((property) => ({
      kind: 'field',
      ...property,
      attribute: toAttribute(property.name),
      reflects: true,
    })),
    ...(tagName === FORM && {
      events: readProperties(EVENTS).map(({ name, type }) => ({ name, type: { text: type } })),
      slots: [{ name: 'fields', description: 'Inputs of your own, sent with the address. Each has a `name`.' }],
    }),
  };
}

const { share, count } = JSON.parse(readFileSync('dist/script/embed.json', 'utf8'));
/** The modules of elements that dist/embed.js does not define. */
const MODULES = new Map([
  ['early-access-share', `dist/script/${share.file}`],
  ['early-access-count', `dist/script/${count.file}`],
]);

const locateModule = ({ name }: Property) => MODULES.get(name) ?? 'dist/embed.js';

const elements = readProperties(TAG_NAMES);
const manifest = {
  schemaVersion: '1.0.0',
  modules: [...new Set(elements.map(locateModule))].map((path) => {
    const defined = elements.filter((element) => locateModule(element) === path);
    return {
      kind: 'javascript-module',
      path,
      declarations: defined.map(describeElement),
      exports: defined.map(({ name, type }) => ({
        kind: 'custom-element-definition',
        name,
        declaration: { name: type, module: path },
      })),
    };
  }),
};
writeFileSync('dist/custom-elements.json', `${JSON.stringify(manifest, null, 2)}\n`);
