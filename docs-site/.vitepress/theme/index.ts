import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import CustomPropertiesTable from './custom-properties-table.vue';
import HomePage from './home-page.vue';
import MessagesTable from './messages-table.vue';
import './site.css';

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('HomePage', HomePage);
    // The kit's guide uses these component names, which it shares with Storybook.
    app.component('CustomPropertiesTable', CustomPropertiesTable);
    app.component('MessagesTable', MessagesTable);
  },
} satisfies Theme;
