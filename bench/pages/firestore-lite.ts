/** The same with the SDK: create once, raise totals, read. */
import { initializeApp } from 'firebase/app';
import { doc, getDoc, getFirestore, increment, runTransaction, setDoc } from 'firebase/firestore/lite';

Object.assign(globalThis, { initializeApp, doc, getDoc, getFirestore, increment, runTransaction, setDoc });
