import type { OwnPageTexts } from './en.ts';

/** German, addressing the visitor as „du“. */
export const de: OwnPageTexts = {
  unconfirmedText: 'Wir haben dir eine E-Mail geschickt. Öffne den Link darin, um deine Adresse zu bestätigen.',
  duplicateText: 'Du musst nichts weiter tun. Wir schreiben dir, sobald die Beta bereit ist.',
  invalidText: 'Geh zurück und prüfe die Adresse. Sie sollte so aussehen: name@example.com.',
  disposableTitle: 'Wegwerf-Adressen werden nicht akzeptiert. Bitte verwende eine andere.',
  disposableText: 'Geh zurück und gib eine Adresse ein, die du regelmäßig liest.',
  undeliverableTitle: 'Diese Adresse kann keine E-Mails empfangen. Bitte prüfe sie.',
  missingFieldTitle: 'Es fehlt noch etwas',
  missingFieldText: 'Geh zurück und fülle dieses Feld aus:',
  invalidFieldTitle: 'Etwas muss geändert werden',
  invalidFieldText: 'Geh zurück und prüfe dieses Feld:',
  failedText: 'Geh zurück und sende das Formular in einer Minute noch einmal ab.',
  refusedTitle: 'Mit diesem Formular kannst du dich hier nicht anmelden',
  noOriginText:
    'Die Seite, die das Formular enthält, gibt nicht an, zu welcher Website sie gehört. Öffne sie in einem eigenen Tab und sende das Formular dort ab. Falls es deine Seite ist: Ein iframe mit „sandbox“ braucht „allow-same-origin“, und die Seite braucht eine Referrer-Policy, die ihren Origin sendet.',
  foreignOriginText:
    'Dieser Server nimmt keine Anmeldungen von der Seite an, von der du kommst. Falls es deine Seite ist: Ihr Origin muss in den Einstellungen des Servers erlaubt werden.',
  confirmTitle: 'Bestätige deine E-Mail-Adresse',
  confirmText: 'Ein Klick, und du stehst auf der Liste.',
  confirmButton: 'Bestätigen',
  confirmNeedsScripts: 'Diese Seite braucht JavaScript. Schalte es ein oder öffne den Link in einem anderen Browser.',
  alreadyConfirmedTitle: 'Du stehst schon auf der Liste!',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expiredText: 'Ein Bestätigungslink gilt eine Woche. Wir können dir einen neuen schicken.',
  renewButton: 'Neuen Link senden',
  openInbox: 'Postfach öffnen',
  renewedTitle: 'Schau in dein Postfach',
  renewedText: 'Falls deine Adresse noch nicht bestätigt ist, ist eine neue E-Mail unterwegs.',
  unknownTitle: 'Dieser Link funktioniert nicht',
  unknownText: 'Vielleicht ist er unvollständig: Öffne ihn noch einmal aus der E-Mail oder kopiere ihn ganz.',
  tryLater: 'Das hat nicht geklappt. Bitte versuche es in einer Minute noch einmal.',
  unsubscribeTitle: 'Abmelden?',
  unsubscribeText: 'Du bekommst dann keine E-Mails mehr von uns.',
  unsubscribeButton: 'Abmelden',
  unsubscribedTitle: 'Du bist abgemeldet',
  unsubscribedText:
    'Du bekommst keine E-Mails mehr von uns. Wenn du es dir anders überlegst, melde dich auf unserer Seite neu an.',
  back: 'Zurück zur Seite',
};
