import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** German, addressing the person as „du“. */
export const de: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Du stehst auf der Liste von ${name}`,
    preview: 'Wir schreiben dir, wenn du an der Reihe bist. Du musst nichts weiter tun.',
    heading: 'Du stehst auf der Liste',
    intro: `Danke für deine Anmeldung. Dein Platz auf der Liste von ${name} ist gesichert.`,
    button: `${host} besuchen`,
    closing: {
      heading: 'Wie es weitergeht',
      text: 'Du musst nichts weiter tun. Wir schreiben dir, wenn du an der Reihe bist.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${name}`,
    preview: 'Bestätige deine Adresse, und dein Platz auf der Liste ist gesichert.',
    heading: 'Nur noch ein Schritt',
    intro: `Danke für deine Anmeldung. Bestätige, dass dies deine E-Mail-Adresse ist, und dein Platz auf der Liste von ${name} ist gesichert.`,
    button: 'Adresse bestätigen',
    closing: {
      heading: 'Gut zu wissen',
      text: `Der Link gilt ${days} Tage. Wenn du das nicht warst, ignoriere diese E-Mail, und wir löschen deine Adresse.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Dein Platz auf der Liste von ${name}`,
    preview: 'Deine E-Mail-Adresse ist noch nicht bestätigt.',
    heading: 'Noch interessiert?',
    intro: `Vor ein paar Tagen hast du dich bei ${name} angemeldet, aber deine E-Mail-Adresse ist noch nicht bestätigt. Bestätige sie, und dein Platz auf der Liste ist gesichert.`,
    button: 'Adresse bestätigen',
    closing: {
      heading: 'Anders überlegt?',
      text: `Dann ignoriere diese E-Mail. Wir erinnern dich nicht noch einmal und löschen deine Adresse. Der Link gilt ${days} Tage.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Deine Einladung zu ${name}`,
    preview: 'Du bist an der Reihe. Danke fürs Warten.',
    heading: 'Du bist an der Reihe',
    intro: `Danke fürs Warten. Dein Platz bei ${name} ist bereit: Öffne deine Einladung, um loszulegen.`,
    button: 'Einladung annehmen',
    closing: {
      heading: 'Gut zu wissen',
      text: `Der Link ist nur für dich. Er funktioniert einmal und gilt ${days} Tage.`,
    },
  }),
  status: ({ name }) => ({
    subject: `Deine Seite auf der Liste von ${name}`,
    preview: 'Der Link, um den du gebeten hast.',
    heading: 'Deine Seite',
    intro: `Hier ist der Link, um den du gebeten hast. Deine Seite zeigt, wie es um deinen Platz auf der Liste von ${name} steht und was über dich gespeichert ist.`,
    button: 'Deine Seite öffnen',
    closing: {
      heading: 'Gut zu wissen',
      text: 'Der Link ist nur für dich. Wenn du nicht um ihn gebeten hast, ignoriere diese E-Mail: Es hat sich nichts geändert.',
    },
  }),
  footer: {
    onListOf: 'Du erhältst diese E-Mail, denn diese Adresse steht auf der Liste von',
    yourData: 'Möchtest du deine Daten sehen oder deine Adresse ändern?',
    yourPage: 'Deine Seite öffnen',
    unwanted: 'Das warst du nicht, oder du hast es dir anders überlegt?',
    deleteAddress: 'Bitte uns, deine Adresse zu löschen',
    unsubscribe: 'Abmelden',
    askedFor: 'Du erhältst diese E-Mail auf deinen Wunsch aus dem Dashboard von',
    signsIn: 'Du erhältst diese E-Mail, weil sich diese Adresse beim Dashboard anmeldet:',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('de', count, { one: '# neue Anmeldung', other: '# neue Anmeldungen' });
    return {
      subject: `${name}: ${signups}`,
      preview: `Seit dem ${since}`,
      heading: signups,
      intro: `Deine Liste für ${name} wächst: ${signups} seit dem ${since}.`,
      button: 'Liste ansehen',
      closing: {
        heading: 'Zu viele E-Mails?',
        text: 'Das Dashboard kann dir stattdessen eine E-Mail am Tag schicken, oder keine.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}: Ein Webhook wurde deaktiviert`,
    preview: `Einen Tag lang konnte nichts an ${endpoint} zugestellt werden.`,
    heading: 'Ein Webhook wurde deaktiviert',
    intro: `Einen Tag lang konnte nichts an ${endpoint} zugestellt werden, darum werden dorthin keine Ereignisse mehr gesendet. Der letzte Versuch endete mit: ${reason}.`,
    button: 'Dashboard öffnen',
    closing: {
      heading: 'Was du tun kannst',
      text: 'Prüfe den Endpunkt und aktiviere ihn im Dashboard wieder. Dann werden die Ereignisse des letzten Tages zugestellt.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}: Kampagnen sind angehalten`,
    preview: `${complaints} von ${emails} E-Mails wurden als Spam gemeldet.`,
    heading: 'Kampagnen sind angehalten',
    intro: `Seit dem ${since} wurden ${complaints} von ${emails} E-Mails von ${name} als Spam gemeldet (${rate}). Über ${limit} nehmen Mailanbieter keine E-Mails mehr von dir an. Darum sind jetzt alle Kampagnen angehalten, die gerade versendet wurden, auch die E-Mails der Serie. Bestätigungen und Einladungen gehen weiter hinaus.`,
    button: 'Dashboard öffnen',
    closing: {
      heading: 'Was du tun kannst',
      text: 'Finde heraus, wer deine E-Mail nicht erwartet hat: meist sind es Menschen aus einer alten oder importierten Liste. Nimm sie aus der Zielgruppe und setze die Kampagne im Dashboard fort. Bis dahin wird der Rest nicht versendet.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}: Ein Passkey wurde hinzugefügt`,
    preview: `Seit dem ${since} kann er sich bei deinem Konto im Dashboard anmelden.`,
    heading: 'Ein Passkey wurde hinzugefügt',
    intro: `Am ${since} wurde deinem Konto im Dashboard von ${name} ein Passkey hinzugefügt. Mit ihm kann man sich ohne E-Mail anmelden.`,
    button: 'Dashboard öffnen',
    closing: {
      heading: 'Das warst du nicht?',
      text: 'Dann benutzt jemand anderes dein Konto. Entferne den Passkey in den Einstellungen des Dashboards und wähle „Sign out everywhere“.',
    },
  }),
};
