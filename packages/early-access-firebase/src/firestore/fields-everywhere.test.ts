import { fieldsEverywhere } from 'early-access-server/fixtures';
import { firestoreOfFile } from '../fixtures/firestore.ts';
import { firestoreStore } from './firestore-store.ts';

const { firestore, reset } = await firestoreOfFile(Date.now());

fieldsEverywhere(10, async () => {
  await reset();
  return firestoreStore({ firestore });
});
