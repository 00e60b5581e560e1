import type { Preview } from '@storybook/react-vite';
// First, because it says which layer gives way to which.
import './preview.css';
import 'early-access-kit/styles.css';

const preview: Preview = {
  globalTypes: {
    theme: {
      description: 'Colour scheme',
      toolbar: {
        title: 'Theme',
        icon: 'contrast',
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
        dynamicTitle: true,
      },
    },
  },
  initialGlobals: { theme: 'light' },
  parameters: {
    // An accessibility violation fails the story's test.
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    controls: { expanded: true },
    docs: { codePanel: true },
  },
  decorators: [
    (Story, { globals }) => {
      // On the root, where a host page says it too: the widgets follow the colour scheme of where they stand.
      document.documentElement.dataset.theme = globals.theme === 'dark' ? 'dark' : 'light';
      return <Story />;
    },
  ],
};

export default preview;
