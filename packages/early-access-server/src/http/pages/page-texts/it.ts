import type { OwnPageTexts } from './en.ts';

/** Italian, addressing the visitor as «tu». */
export const it: OwnPageTexts = {
  unconfirmedText: 'Ti abbiamo inviato un’email. Apri il link che contiene per confermare il tuo indirizzo.',
  duplicateText: 'Non devi fare altro. Ti scriveremo quando la beta sarà pronta.',
  invalidText: 'Torna indietro e controlla l’indirizzo. Deve essere simile a nome@example.com.',
  missingFieldTitle: 'Manca qualcosa',
  missingFieldText: 'Torna indietro e compila questo campo:',
  invalidFieldTitle: 'C’è qualcosa da correggere',
  invalidFieldText: 'Torna indietro e controlla questo campo:',
  failedText: 'Torna indietro e invia di nuovo il modulo tra un minuto.',
  refusedTitle: 'Con questo modulo non puoi iscriverti da qui',
  noOriginText:
    'La pagina che lo contiene non indica a quale sito appartiene. Aprila in una scheda a parte e invia il modulo da lì. Se la pagina è tua: un iframe con «sandbox» richiede «allow-same-origin» e la pagina una referrer policy che invii la sua origine.',
  foreignOriginText:
    'Questo server non accetta iscrizioni dalla pagina da cui provieni. Se la pagina è tua, la sua origine deve essere autorizzata nelle impostazioni del server.',
  confirmTitle: 'Conferma il tuo indirizzo email',
  confirmText: 'Un clic e sarai nella lista.',
  confirmButton: 'Conferma',
  confirmNeedsScripts: 'Questa pagina richiede JavaScript. Attivalo o apri il link in un altro browser.',
  alreadyConfirmedTitle: 'Sei già nella lista!',
  expiredTitle: 'Questo link è scaduto',
  expiredText: 'Un link di conferma vale una settimana. Possiamo inviartene uno nuovo.',
  renewButton: 'Invia un nuovo link',
  openInbox: 'Apri la posta',
  renewedTitle: 'Controlla la posta',
  renewedText: 'Se il tuo indirizzo non è ancora confermato, una nuova email è in arrivo.',
  unknownTitle: 'Questo link non funziona',
  unknownText: 'Potrebbe essere incompleto: aprilo di nuovo dall’email o copialo per intero.',
  tryLater: 'Non ha funzionato. Riprova tra un minuto.',
  unsubscribeTitle: 'Annullare l’iscrizione?',
  unsubscribeText: 'Non riceverai più le nostre email.',
  unsubscribeButton: 'Annulla l’iscrizione',
  unsubscribedTitle: 'Iscrizione annullata',
  unsubscribedText: 'Non riceverai più le nostre email. Se cambi idea, iscriviti di nuovo sulla nostra pagina.',
  back: 'Torna alla pagina',
};
