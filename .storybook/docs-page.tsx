import { Controls, Description, DocsContext, Primary, Title } from '@storybook/addon-docs/blocks';
import { useContext } from 'react';
import { sentenceCase } from './story-name.ts';
import './docs-page.css';

/**
 * The docs page of a widget: its description, one live story with controls for every prop, and links to its states. The
 * states are not embedded, because play functions only run on a story's own page.
 */
export function DocsPage() {
  const stories = useContext(DocsContext).componentStories();
  return (
    <>
      <Title />
      <Description />
      <Primary />
      <Controls />
      <h2>States</h2>
      <ul className="docs-states">
        {stories.map(({ id, name }) => (
          <li key={id}>
            <a href={`./?path=/story/${id}`} target="_top">
              {sentenceCase(name)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
