import { Unstyled } from '@storybook/addon-docs/blocks';
import type { Messages } from 'early-access-kit';
import { ar } from 'early-access-kit/messages/ar';
import { en } from 'early-access-kit/messages/en';
import { es } from 'early-access-kit/messages/es';
import { pseudo } from 'early-access-kit/messages/pseudo';
import './docs.css';

const LANGUAGES: readonly { name: string; lang: string; dir: 'ltr' | 'rtl'; messages: Messages }[] = [
  { name: 'en', lang: 'en', dir: 'ltr', messages: en },
  { name: 'es', lang: 'es', dir: 'ltr', messages: es },
  { name: 'ar', lang: 'ar', dir: 'rtl', messages: ar },
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
            {LANGUAGES.map(({ name }) => (
              <th key={name} scope="col">
                <code>{name}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listKeys(en).map((key) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              {LANGUAGES.map(({ name, lang, dir, messages }) => (
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
  return Object.keys(messages).filter((key): key is keyof Messages => key in en);
}
