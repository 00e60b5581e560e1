import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Polish, addressing the person informally and without grammatical gender. Names are not inflected. */
export const pl: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Jesteś na liście ${name}`,
    preview: 'Napiszemy do Ciebie, gdy przyjdzie Twoja kolej. Nie musisz nic więcej robić.',
    heading: 'Jesteś na liście',
    intro: `Dziękujemy za zapisanie się. Twoje miejsce na liście ${name} jest zarezerwowane.`,
    button: `Odwiedź ${host}`,
    closing: {
      heading: 'Co dalej?',
      text: 'Nie musisz nic więcej robić. Napiszemy do Ciebie, gdy przyjdzie Twoja kolej.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `${name}: potwierdź swój adres e-mail`,
    preview: 'Potwierdź adres, a zarezerwujemy Ci miejsce na liście.',
    heading: 'Jeszcze jeden krok',
    intro: `Dziękujemy za zapisanie się. Potwierdź, że to Twój adres e-mail, a zarezerwujemy Ci miejsce na liście ${name}.`,
    button: 'Potwierdź mój adres',
    closing: {
      heading: 'Warto wiedzieć',
      text: `Link działa przez ${days} dni. Jeśli to nie Ty, zignoruj tę wiadomość, a usuniemy Twój adres.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Twoje miejsce na liście ${name}`,
    preview: 'Twój adres e-mail nie jest jeszcze potwierdzony.',
    heading: 'Nadal Cię to interesuje?',
    intro: `Kilka dni temu otrzymaliśmy Twój zapis na listę ${name}, ale Twój adres e-mail nie jest jeszcze potwierdzony. Potwierdź go, a zarezerwujemy Ci miejsce.`,
    button: 'Potwierdź mój adres',
    closing: {
      heading: 'Już Cię to nie interesuje?',
      text: `W takim razie zignoruj tę wiadomość. Nie wyślemy kolejnego przypomnienia i usuniemy Twój adres. Link działa przez ${days} dni.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Twoje zaproszenie do ${name}`,
    preview: 'Przyszła Twoja kolej. Dziękujemy za cierpliwość.',
    heading: 'Przyszła Twoja kolej',
    intro: `Dziękujemy za cierpliwość. Twoje miejsce w ${name} jest gotowe: otwórz zaproszenie, aby zacząć.`,
    button: 'Przyjmij zaproszenie',
    closing: {
      heading: 'Warto wiedzieć',
      text: `Link jest tylko dla Ciebie. Działa jeden raz, przez ${days} dni.`,
    },
  }),
  status: ({ name }) => ({
    subject: `Twoja strona na liście ${name}`,
    preview: 'Link, o który prosisz.',
    heading: 'Twoja strona',
    intro: `Oto link, o który prosisz. Twoja strona pokazuje, jaki jest Twój status na liście ${name} i jakie dane o Tobie są zapisane.`,
    button: 'Otwórz swoją stronę',
    closing: {
      heading: 'Warto wiedzieć',
      text: 'Link jest tylko dla Ciebie. Jeśli to nie Twoja prośba, zignoruj tę wiadomość: nic się nie zmieniło.',
    },
  }),
  footer: {
    onListOf: 'Otrzymujesz tę wiadomość, ponieważ ten adres dodano do listy',
    yourData: 'Chcesz zobaczyć swoje dane lub zmienić adres?',
    yourPage: 'Otwórz swoją stronę',
    unwanted: 'To nie Ty albo jednak rezygnujesz?',
    deleteAddress: 'Poproś nas o usunięcie adresu',
    unsubscribe: 'Zrezygnuj z subskrypcji',
    askedFor: 'Otrzymujesz tę wiadomość na własną prośbę z panelu',
    signsIn: 'Otrzymujesz tę wiadomość, ponieważ ten adres służy do logowania do panelu',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('pl', count, {
      one: '# nowy zapis',
      few: '# nowe zapisy',
      many: '# nowych zapisów',
      other: '# nowego zapisu',
    });
    return {
      subject: `${name}: ${signups}`,
      preview: `Od ${since}`,
      heading: signups,
      intro: `Twoja lista ${name} rośnie: ${signups} od ${since}.`,
      button: 'Zobacz listę',
      closing: {
        heading: 'Za dużo wiadomości?',
        text: 'Panel może zamiast tego wysyłać jedną wiadomość dziennie albo żadnej.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}: webhook został wyłączony`,
    preview: `Przez cały dzień nie udało się niczego dostarczyć do ${endpoint}.`,
    heading: 'Webhook został wyłączony',
    intro: `Przez cały dzień nie udało się niczego dostarczyć do ${endpoint}, więc nie trafiają tam już żadne zdarzenia. Wynik ostatniej próby: ${reason}.`,
    button: 'Otwórz panel',
    closing: {
      heading: 'Co zrobić?',
      text: 'Sprawdź punkt końcowy, a potem włącz go ponownie w panelu. Wtedy zostaną dostarczone zdarzenia z ostatniego dnia.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}: kampanie są wstrzymane`,
    preview: `Zgłoszono jako spam ${complaints} z ${emails} e-maili.`,
    heading: 'Kampanie są wstrzymane',
    intro: `Od ${since} zgłoszono jako spam ${complaints} z ${emails} e-maili od ${name} (${rate}). Powyżej ${limit} dostawcy poczty przestają przyjmować Twoje e-maile, więc wszystkie wysyłane kampanie są teraz wstrzymane, także e-maile z serii. Potwierdzenia i zaproszenia są nadal wysyłane.`,
    button: 'Otwórz panel',
    closing: {
      heading: 'Co zrobić?',
      text: 'Sprawdź, kto nie spodziewał się Twojego e-maila: zwykle są to osoby ze starej lub zaimportowanej listy. Wyklucz je z odbiorców, a potem wznów kampanię w panelu. Do tego czasu reszta nie zostanie wysłana.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}: dodano klucz dostępu`,
    preview: `Od ${since} można się nim zalogować na Twoje konto w panelu.`,
    heading: 'Dodano klucz dostępu',
    intro: `${since} do Twojego konta w panelu ${name} dodano klucz dostępu. Pozwala zalogować się bez e-maila.`,
    button: 'Otwórz panel',
    closing: {
      heading: 'To nie Ty?',
      text: 'W takim razie ktoś inny korzysta z Twojego konta. Usuń klucz dostępu w ustawieniach panelu i wybierz „Sign out everywhere”.',
    },
  }),
};
