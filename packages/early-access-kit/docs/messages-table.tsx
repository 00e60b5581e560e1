import { Unstyled } from '@storybook/addon-docs/blocks';
import type { Messages } from 'early-access-kit';
import { getDirection, LANGUAGES, MESSAGES } from 'early-access-kit/messages';
import { pseudo } from 'early-access-kit/messages/pseudo';
import './docs.css';

const COLUMNS: readonly { name: string; lang: string; dir: 'ltr' | 'rtl'; messages: Messages }[] = [
  ...LANGUAGES.map((name) => ({ name, lang: name, dir: getDirection(name), messages: MESSAGES[name] })),
  { name: 'pseudo', lang: 'en-XA', dir: 'ltr', messages: pseudo },
];

/** Lists every widget text in every built-in language. */
export function MessagesTable() {
  return (
    <Unstyled>
      <table className="docs-table docs-table--messages">
        <thead>
          <tr>
            <th scope="col">Key</th>
            {COLUMNS.map(({ name }) => (
              <th key={name} scope="col">
                <code>{name}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listKeys(MESSAGES.en).map((key) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              {COLUMNS.map(({ name, lang, dir, messages }) => (
                <td key={name} lang={lang} dir={dir}>
                  {messages[key]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Unstyled>
  );
}

function listKeys(messages: Messages): (keyof Messages)[] {
  return Object.keys(messages).filter((key): key is keyof Messages => key in MESSAGES.en);
}
