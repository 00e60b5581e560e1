import css from './admin.css?inline';

export { AdminPanel } from '../admin/admin-panel.tsx';
export { css };
