/** Constants that `build/storage.ts` replaces in the code. */
declare const __STORAGE__: 'http' | 'firestore';
/** Null unless the storage is Firestore. */
declare const __FIRESTORE_SETTINGS__: import('../build/storage.ts').FirestoreSettings;
declare const __APP_CHECK_SITE_KEY__: string | null;
