import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Italian, addressing the person as «tu». */
export const it: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Sei nella lista di ${name}`,
    preview: 'Ti scriveremo quando sarà il tuo turno. Non devi fare altro.',
    heading: 'Sei nella lista',
    intro: `Grazie per l’iscrizione. Il tuo posto nella lista di ${name} è riservato.`,
    button: `Visita ${host}`,
    closing: {
      heading: 'E adesso?',
      text: 'Non devi fare altro. Ti scriveremo quando sarà il tuo turno.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `Conferma la tua email per ${name}`,
    preview: 'Conferma il tuo indirizzo e il tuo posto nella lista sarà riservato.',
    heading: 'Ancora un passaggio',
    intro: `Grazie per l’iscrizione. Conferma che questo è il tuo indirizzo email e il tuo posto nella lista di ${name} sarà riservato.`,
    button: 'Conferma la mia email',
    closing: {
      heading: 'Buono a sapersi',
      text: `Il link è valido per ${days} giorni. Se la richiesta non è tua, ignora questa email e cancelleremo il tuo indirizzo.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Il tuo posto nella lista di ${name}`,
    preview: 'Il tuo indirizzo email non è ancora confermato.',
    heading: 'Ti interessa ancora?',
    intro: `Qualche giorno fa hai richiesto l’iscrizione a ${name}, ma il tuo indirizzo email non è ancora confermato. Confermalo e il tuo posto nella lista sarà riservato.`,
    button: 'Conferma la mia email',
    closing: {
      heading: 'Hai cambiato idea?',
      text: `Allora ignora questa email. Non invieremo altri promemoria e cancelleremo il tuo indirizzo. Il link è valido per ${days} giorni.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Il tuo invito a ${name}`,
    preview: 'È il tuo turno. Grazie per l’attesa.',
    heading: 'È il tuo turno',
    intro: `Grazie per l’attesa. Il tuo posto in ${name} è pronto: apri l’invito per iniziare.`,
    button: 'Accetta l’invito',
    closing: {
      heading: 'Buono a sapersi',
      text: `Il link è solo per te. Funziona una volta sola, per ${days} giorni.`,
    },
  }),
  status: ({ name }) => ({
    subject: `La tua pagina nella lista di ${name}`,
    preview: 'Il link che hai richiesto.',
    heading: 'La tua pagina',
    intro: `Ecco il link che hai richiesto. La tua pagina mostra a che punto sei nella lista di ${name} e quali dati su di te sono conservati.`,
    button: 'Apri la tua pagina',
    closing: {
      heading: 'Buono a sapersi',
      text: 'Il link è solo per te. Se non l’hai richiesto, ignora questa email: non è cambiato nulla.',
    },
  }),
  footer: {
    onListOf: 'Ricevi questa email perché questo indirizzo è stato aggiunto alla lista di',
    yourData: 'Vuoi vedere i tuoi dati o cambiare indirizzo?',
    yourPage: 'Apri la tua pagina',
    unwanted: 'La richiesta non è tua o hai cambiato idea?',
    deleteAddress: 'Chiedici di cancellare il tuo indirizzo',
    unsubscribe: 'Annulla l’iscrizione',
    askedFor: 'Ricevi questa email perché l’hai richiesta nella dashboard di',
    signsIn: 'Ricevi questa email perché questo indirizzo accede alla dashboard di',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('it', count, {
      one: '# nuova iscrizione',
      many: '# di nuove iscrizioni',
      other: '# nuove iscrizioni',
    });
    return {
      subject: `${name}: ${signups}`,
      // In a sentence, the article before a date would depend on its day.
      preview: `A partire da: ${since}`,
      heading: signups,
      intro: `La tua lista per ${name} cresce: ${signups} (a partire da: ${since}).`,
      button: 'Vedi la lista',
      closing: {
        heading: 'Troppe email?',
        text: 'La dashboard può inviarti una sola email al giorno, oppure nessuna.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}: un webhook è stato disattivato`,
    preview: `Per un giorno non è stato possibile consegnare niente a ${endpoint}.`,
    heading: 'Un webhook è stato disattivato',
    intro: `Per un giorno non è stato possibile consegnare niente a ${endpoint}, che quindi non riceve più eventi. L’ultimo tentativo è terminato con: ${reason}.`,
    button: 'Apri la dashboard',
    closing: {
      heading: 'Cosa fare',
      text: 'Controlla l’endpoint, poi riattivalo nella dashboard. Gli eventi dell’ultimo giorno verranno consegnati in quel momento.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}: le campagne sono in pausa`,
    preview: `${complaints} email su ${emails} sono state segnalate come spam.`,
    heading: 'Le campagne sono in pausa',
    intro: `Dal ${since}, ${complaints} email di ${name} su ${emails} sono state segnalate come spam (${rate}). Oltre il ${limit} i provider non accettano più le tue email, quindi tutte le campagne in corso di invio sono ora in pausa, comprese le email della serie. Le conferme e gli inviti continuano.`,
    button: 'Apri la dashboard',
    closing: {
      heading: 'Cosa fare',
      text: 'Scopri chi non si aspettava la tua email: di solito sono persone di una lista vecchia o importata. Escludile dal pubblico, poi riprendi la campagna nella dashboard. Fino ad allora il resto non viene inviato.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}: è stata aggiunta una passkey`,
    preview: `Dal ${since} può accedere al tuo account della dashboard.`,
    heading: 'È stata aggiunta una passkey',
    intro: `Il ${since} è stata aggiunta una passkey al tuo account della dashboard di ${name}. Permette di accedere senza email.`,
    button: 'Apri la dashboard',
    closing: {
      heading: 'Non sei stato tu?',
      text: 'Allora qualcun altro sta usando il tuo account. Rimuovi la passkey nelle impostazioni della dashboard e scegli “Sign out everywhere”.',
    },
  }),
};
