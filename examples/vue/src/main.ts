import { createApp } from 'vue';
import 'early-access-kit/embed';
import App from './App.vue';

createApp(App).mount('#app');
