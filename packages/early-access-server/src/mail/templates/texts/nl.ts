import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Dutch, addressing the person as ‘je’. */
export const nl: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Je staat op de lijst van ${name}`,
    preview: 'We mailen je als je aan de beurt bent. Je hoeft verder niets te doen.',
    heading: 'Je staat op de lijst',
    intro: `Bedankt voor je aanmelding. Je plek op de lijst van ${name} is gereserveerd.`,
    button: `Naar ${host}`,
    closing: {
      heading: 'Wat er nu gebeurt',
      text: 'Je hoeft verder niets te doen. We mailen je als je aan de beurt bent.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `Bevestig je e-mailadres voor ${name}`,
    preview: 'Bevestig je adres en je plek op de lijst is gereserveerd.',
    heading: 'Nog één stap',
    intro: `Bedankt voor je aanmelding. Bevestig dat dit jouw e-mailadres is en je plek op de lijst van ${name} is gereserveerd.`,
    button: 'Mijn adres bevestigen',
    closing: {
      heading: 'Goed om te weten',
      text: `De link werkt ${days} dagen. Was jij dit niet? Negeer dan deze e-mail en we verwijderen je adres.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Je plek op de lijst van ${name}`,
    preview: 'Je e-mailadres is nog niet bevestigd.',
    heading: 'Nog steeds geïnteresseerd?',
    intro: `Een paar dagen geleden heb je je aangemeld voor ${name}, maar je e-mailadres is nog niet bevestigd. Bevestig het en je plek op de lijst is gereserveerd.`,
    button: 'Mijn adres bevestigen',
    closing: {
      heading: 'Van gedachten veranderd?',
      text: `Negeer dan deze e-mail. We sturen geen herinnering meer en verwijderen je adres. De link werkt ${days} dagen.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Je uitnodiging voor ${name}`,
    preview: 'Je bent aan de beurt. Bedankt voor je geduld.',
    heading: 'Je bent aan de beurt',
    intro: `Bedankt voor je geduld. Je plek bij ${name} staat klaar: open je uitnodiging om te beginnen.`,
    button: 'Uitnodiging accepteren',
    closing: {
      heading: 'Goed om te weten',
      text: `De link is alleen voor jou. Hij werkt één keer, gedurende ${days} dagen.`,
    },
  }),
  status: ({ name }) => ({
    subject: `Je pagina op de lijst van ${name}`,
    preview: 'De link waar je om vroeg.',
    heading: 'Je pagina',
    intro: `Hier is de link waar je om vroeg. Je pagina laat zien hoe het met je plek op de lijst van ${name} staat en wat er over je is opgeslagen.`,
    button: 'Je pagina openen',
    closing: {
      heading: 'Goed om te weten',
      text: 'De link is alleen voor jou. Heb je er niet om gevraagd, negeer deze e-mail dan: er is niets veranderd.',
    },
  }),
  footer: {
    onListOf: 'Je ontvangt deze e-mail omdat dit adres is toegevoegd aan de lijst van',
    yourData: 'Wil je je gegevens bekijken of je adres wijzigen?',
    yourPage: 'Open je pagina',
    unwanted: 'Was jij dit niet of heb je je bedacht?',
    deleteAddress: 'Vraag ons je adres te verwijderen',
    unsubscribe: 'Afmelden',
    askedFor: 'Je ontvangt deze e-mail omdat je erom hebt gevraagd in het dashboard van',
    signsIn: 'Je ontvangt deze e-mail omdat dit adres inlogt bij het dashboard van',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('nl', count, { one: '# nieuwe aanmelding', other: '# nieuwe aanmeldingen' });
    return {
      subject: `${name}: ${signups}`,
      preview: `Sinds ${since}`,
      heading: signups,
      intro: `Je lijst voor ${name} groeit: ${signups} sinds ${since}.`,
      button: 'Lijst bekijken',
      closing: {
        heading: 'Te veel e-mails?',
        text: 'Het dashboard kan je ook één e-mail per dag sturen, of geen.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}: een webhook is uitgeschakeld`,
    preview: `Er kon een dag lang niets worden afgeleverd bij ${endpoint}.`,
    heading: 'Een webhook is uitgeschakeld',
    intro: `Er kon een dag lang niets worden afgeleverd bij ${endpoint}, dus worden er geen gebeurtenissen meer naartoe gestuurd. De laatste poging eindigde met: ${reason}.`,
    button: 'Dashboard openen',
    closing: {
      heading: 'Wat je kunt doen',
      text: 'Controleer het endpoint en schakel het weer in via het dashboard. Daarna worden de gebeurtenissen van de laatste dag afgeleverd.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}: campagnes zijn gepauzeerd`,
    preview: `${complaints} van ${emails} e-mails zijn als spam gemeld.`,
    heading: 'Campagnes zijn gepauzeerd',
    intro: `Sinds ${since} zijn ${complaints} van ${emails} e-mails van ${name} als spam gemeld (${rate}). Boven ${limit} nemen mailproviders geen e-mail meer van je aan, dus alle campagnes die werden verzonden zijn nu gepauzeerd, ook de e-mails van de reeks. Bevestigingen en uitnodigingen gaan door.`,
    button: 'Dashboard openen',
    closing: {
      heading: 'Wat je kunt doen',
      text: 'Zoek uit wie je e-mail niet verwachtte: meestal mensen van een oude of geïmporteerde lijst. Haal ze uit de doelgroep en hervat de campagne in het dashboard. Tot die tijd wordt de rest niet verzonden.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}: er is een passkey toegevoegd`,
    preview: `Sinds ${since} kan die inloggen op je dashboardaccount.`,
    heading: 'Er is een passkey toegevoegd',
    intro: `Op ${since} is een passkey toegevoegd aan je account in het dashboard van ${name}. Daarmee kun je zonder e-mail inloggen.`,
    button: 'Dashboard openen',
    closing: {
      heading: 'Was jij dit niet?',
      text: 'Dan gebruikt iemand anders je account. Verwijder de passkey in de instellingen van het dashboard en kies ‘Sign out everywhere’.',
    },
  }),
};
