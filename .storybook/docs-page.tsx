import { Controls, Description, DocsContext, Primary, Title } from '@storybook/addon-docs/blocks';
import { useContext } from 'react';
import './docs-page.css';

/**
 * The page of a widget: its description, one live story with controls for every prop, and the way to each of its states. The states
 * themselves are reached by play functions, which run on their own pages only.
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
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
