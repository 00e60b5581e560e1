import { createApp } from 'vue';
import 'early-access-kit/embed';
import App from './app.vue';

createApp(App).mount('#app');
