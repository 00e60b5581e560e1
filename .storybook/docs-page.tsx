import { Canvas, Controls, Description, DocsContext, Primary, Title } from '@storybook/addon-docs/blocks';
import { useContext } from 'react';
import { sentenceCase } from './story-name.ts';
import './docs-page.css';

/**
 * The docs page of a title: its description, one live story with controls for every prop, and its states, each with a
 * sentence and a link. The states are not embedded, because play functions only run on a story's own page.
 */
export function DocsPage() {
  const context = useContext(DocsContext);
  const stories = context.componentStories().filter(({ tags }) => tags.includes('dev'));
  const [first] = stories;
  const isWholePage = first?.parameters.layout === 'fullscreen';
  return (
    <>
      <Title />
      <Description />
      {isWholePage ? (
        // A whole page has a window of its own, as it would in a browser.
        <Canvas of={first.moduleExport} story={{ inline: false, height: '640px' }} />
      ) : (
        <>
          <Primary />
          <Controls />
        </>
      )}
      <h2>States</h2>
      <ul className="docs-states">
        {stories.map(({ id, name, parameters }) => (
          <li key={id}>
            <a href={`./?path=/story/${id}`} target="_top">
              {sentenceCase(name)}
            </a>
            {parameters.docs?.description?.story && <span>{parameters.docs.description.story}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
