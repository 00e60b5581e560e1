import { Controls, Description, DocsContext, Primary, Title } from '@storybook/addon-docs/blocks';
import { type ContextType, useContext, useEffect, useRef, useState } from 'react';
import { sentenceCase } from './story-name.ts';
import { globalTypes } from './toolbar.ts';
import './docs-page.css';

type Story = ReturnType<ContextType<typeof DocsContext>['componentStories']>[number];

/**
 * The docs page of a title: its description, one live story with controls for every prop, and its states, each with a
 * sentence and a link. Widgets' states are not embedded, because play functions do not run on a docs page. States of
 * whole pages are shown in frames, where they do.
 */
export function DocsPage() {
  const context = useContext(DocsContext);
  const stories = context.componentStories().filter(({ tags }) => tags.includes('dev'));
  const isWholePage = stories[0]?.parameters.layout === 'fullscreen';
  return (
    <>
      <Title />
      <Description />
      {!isWholePage && (
        <>
          <Primary />
          <Controls />
        </>
      )}
      <h2>States</h2>
      <ul className={isWholePage ? 'docs-states docs-states--framed' : 'docs-states'}>
        {stories.map((story) => (
          <li key={story.id}>
            <a href={`./?path=/story/${story.id}`} target="_top">
              {sentenceCase(story.name)}
            </a>
            {story.parameters.docs?.description?.story && <span>{story.parameters.docs.description.story}</span>}
            {isWholePage && <StateFrame story={story} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * A state at its own window size. Frames load lazily, because each is a whole Storybook and a title has up to fifty.
 */
function StateFrame({ story }: { readonly story: Story }) {
  const { globals } = useContext(DocsContext).getStoryContext(story);
  const place = useRef<HTMLDivElement>(null);
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting === true));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const size = story.parameters.viewport?.options?.[globals.viewport?.value]?.styles;
  const chosen = Object.keys(globalTypes).map((name) => `${name}:${globals[name]}`);
  return (
    <div ref={place} className="docs-frame" style={size && { inlineSize: size.width, blockSize: size.height }}>
      {isInView && (
        <iframe
          title={sentenceCase(story.name)}
          src={`./iframe.html?id=${story.id}&viewMode=story&globals=${chosen.join(';')}`}
        />
      )}
    </div>
  );
}
