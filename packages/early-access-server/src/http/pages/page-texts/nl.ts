import type { OwnPageTexts } from './en.ts';

/** Dutch, addressing the visitor as ‘je’. */
export const nl: OwnPageTexts = {
  unconfirmedText: 'We hebben je een e-mail gestuurd. Open de link daarin om je adres te bevestigen.',
  duplicateText: 'Je hoeft verder niets te doen. We mailen je zodra de bèta klaar is.',
  invalidText: 'Ga terug en controleer het adres. Het moet lijken op naam@example.com.',
  missingFieldTitle: 'Er ontbreekt iets',
  missingFieldText: 'Ga terug en vul dit veld in:',
  invalidFieldTitle: 'Er moet iets worden aangepast',
  invalidFieldText: 'Ga terug en controleer dit veld:',
  failedText: 'Ga terug en verstuur het formulier over een minuut nog een keer.',
  refusedTitle: 'Met dit formulier kun je je hier niet aanmelden',
  noOriginText:
    'De pagina eromheen geeft niet aan bij welke site ze hoort. Open de pagina in een eigen tabblad en verstuur het formulier daar. Is het jouw pagina? Een iframe met “sandbox” heeft “allow-same-origin” nodig, en de pagina een referrer-policy die de origin meestuurt.',
  foreignOriginText:
    'Deze server accepteert geen aanmeldingen van de pagina waar je vandaan komt. Is het jouw pagina? Dan moet de origin ervan worden toegestaan in de instellingen van de server.',
  confirmTitle: 'Bevestig je e-mailadres',
  confirmText: 'Eén klik en je staat op de lijst.',
  confirmButton: 'Bevestigen',
  confirmNeedsScripts: 'Deze pagina heeft JavaScript nodig. Zet het aan of open de link in een andere browser.',
  alreadyConfirmedTitle: 'Je staat al op de lijst!',
  expiredTitle: 'Deze link is verlopen',
  expiredText: 'Een bevestigingslink werkt een week. We kunnen je een nieuwe sturen.',
  renewButton: 'Nieuwe link sturen',
  openInbox: 'Inbox openen',
  renewedTitle: 'Kijk in je inbox',
  renewedText: 'Als je adres nog niet is bevestigd, is er een nieuwe e-mail onderweg.',
  unknownTitle: 'Deze link werkt niet',
  unknownText: 'Misschien is hij niet compleet: open hem opnieuw vanuit de e-mail of kopieer hem helemaal.',
  tryLater: 'Dat is niet gelukt. Probeer het over een minuut opnieuw.',
  unsubscribeTitle: 'Afmelden?',
  unsubscribeText: 'Je krijgt dan geen e-mails meer van ons.',
  unsubscribeButton: 'Afmelden',
  unsubscribedTitle: 'Je bent afgemeld',
  unsubscribedText: 'Je krijgt geen e-mails meer van ons. Bedenk je je? Meld je dan opnieuw aan op onze pagina.',
  back: 'Terug naar de pagina',
};
