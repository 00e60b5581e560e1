import type { OwnPageTexts } from './en.ts';

/** Polish, addressing the visitor informally and without grammatical gender. */
export const pl: OwnPageTexts = {
  unconfirmedText: 'Wysłaliśmy Ci wiadomość. Otwórz zawarty w niej link, aby potwierdzić adres.',
  duplicateText: 'Nie musisz nic więcej robić. Napiszemy do Ciebie, gdy beta będzie gotowa.',
  invalidText: 'Wróć i sprawdź adres. Powinien wyglądać jak nazwa@example.com.',
  disposableTitle: 'Tymczasowe adresy e-mail nie są akceptowane. Użyj innego adresu.',
  disposableText: 'Wróć i podaj adres, z którego korzystasz na co dzień.',
  undeliverableTitle: 'Ten adres nie może odbierać wiadomości. Sprawdź go.',
  missingFieldTitle: 'Czegoś brakuje',
  missingFieldText: 'Wróć i wypełnij to pole:',
  invalidFieldTitle: 'Coś wymaga poprawy',
  invalidFieldText: 'Wróć i sprawdź to pole:',
  failedText: 'Wróć i wyślij formularz ponownie za minutę.',
  refusedTitle: 'Za pomocą tego formularza nie można się tutaj zapisać',
  noOriginText:
    'Strona, na której jest formularz, nie podaje, do jakiej witryny należy. Otwórz ją w osobnej karcie i tam wyślij formularz. Jeśli to Twoja strona: iframe z atrybutem „sandbox” wymaga „allow-same-origin”, a strona – polityki referrer, która wysyła jej origin.',
  foreignOriginText:
    'Ten serwer nie przyjmuje zapisów ze strony, z której przychodzisz. Jeśli to Twoja strona, zezwól na jej origin w ustawieniach serwera.',
  confirmTitle: 'Potwierdź swój adres e-mail',
  confirmText: 'Jedno kliknięcie i jesteś na liście.',
  confirmButton: 'Potwierdź',
  confirmNeedsScripts: 'Ta strona wymaga JavaScriptu. Włącz go lub otwórz link w innej przeglądarce.',
  alreadyConfirmedTitle: 'Jesteś już na liście!',
  expiredTitle: 'Ten link wygasł',
  expiredText: 'Link do potwierdzenia działa przez tydzień. Możemy wysłać Ci nowy.',
  renewButton: 'Wyślij nowy link',
  openInbox: 'Otwórz skrzynkę',
  renewedTitle: 'Sprawdź swoją skrzynkę',
  renewedText: 'Jeśli Twój adres nie jest jeszcze potwierdzony, nowa wiadomość jest już w drodze.',
  unknownTitle: 'Ten link nie działa',
  unknownText: 'Być może jest niepełny: otwórz go ponownie z wiadomości lub skopiuj w całości.',
  tryLater: 'Nie udało się. Spróbuj ponownie za minutę.',
  unsubscribeTitle: 'Zrezygnować z subskrypcji?',
  unsubscribeText: 'Nie dostaniesz od nas więcej wiadomości.',
  unsubscribeButton: 'Zrezygnuj',
  unsubscribedTitle: 'Subskrypcja została anulowana',
  unsubscribedText:
    'Nie dostaniesz od nas więcej wiadomości. Jeśli zmienisz zdanie, zapisz się ponownie na naszej stronie.',
  back: 'Wróć do strony',
};
