/** What it takes to do the same with the SDK: create once, raise totals, read. */
export { initializeApp } from 'firebase/app';
export { doc, getDoc, getFirestore, increment, runTransaction, setDoc } from 'firebase/firestore';
