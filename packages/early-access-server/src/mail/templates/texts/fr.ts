import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** French, addressing the person as « vous ». Two-part punctuation follows a no-break space. */
export const fr: Texts = {
  welcome: ({ name, host }) => ({
    subject: `Vous êtes sur la liste de ${name}`,
    preview: 'Nous vous écrirons quand ce sera votre tour. Vous n’avez rien d’autre à faire.',
    heading: 'Vous êtes sur la liste',
    intro: `Merci pour votre inscription. Votre place sur la liste de ${name} est réservée.`,
    button: `Visiter ${host}`,
    closing: {
      heading: 'Et maintenant\u00a0?',
      text: 'Vous n’avez rien d’autre à faire. Nous vous écrirons quand ce sera votre tour.',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `Confirmez votre adresse e-mail pour ${name}`,
    preview: 'Confirmez votre adresse, et votre place sur la liste sera réservée.',
    heading: 'Plus qu’une étape',
    intro: `Merci pour votre inscription. Confirmez qu’il s’agit bien de votre adresse e-mail, et votre place sur la liste de ${name} sera réservée.`,
    button: 'Confirmer mon adresse',
    closing: {
      heading: 'Bon à savoir',
      text: `Le lien est valable ${days} jours. Si vous n’êtes pas à l’origine de cette inscription, ignorez cet e-mail et nous supprimerons votre adresse.`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `Votre place sur la liste de ${name}`,
    preview: 'Votre adresse e-mail n’est pas encore confirmée.',
    heading: 'Cela vous intéresse toujours\u00a0?',
    intro: `Il y a quelques jours, vous avez demandé votre inscription à ${name}, mais votre adresse e-mail n’est pas encore confirmée. Confirmez-la, et votre place sur la liste sera réservée.`,
    button: 'Confirmer mon adresse',
    closing: {
      heading: 'Vous avez changé d’avis\u00a0?',
      text: `Ignorez simplement cet e-mail. Nous n’enverrons pas d’autre rappel et nous supprimerons votre adresse. Le lien est valable ${days} jours.`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `Votre invitation à ${name}`,
    preview: 'C’est votre tour. Merci d’avoir patienté.',
    heading: 'C’est votre tour',
    intro: `Merci d’avoir patienté. Votre place chez ${name} est prête\u00a0: ouvrez votre invitation pour commencer.`,
    button: 'Accepter l’invitation',
    closing: {
      heading: 'Bon à savoir',
      text: `Ce lien n’est que pour vous. Il fonctionne une seule fois, pendant ${days} jours.`,
    },
  }),
  status: ({ name }) => ({
    subject: `Votre page sur la liste de ${name}`,
    preview: 'Le lien que vous avez demandé.',
    heading: 'Votre page',
    intro: `Voici le lien que vous avez demandé. Votre page indique où vous en êtes sur la liste de ${name} et quelles données vous concernant sont conservées.`,
    button: 'Ouvrir votre page',
    closing: {
      heading: 'Bon à savoir',
      text: 'Ce lien n’est que pour vous. Si vous ne l’avez pas demandé, ignorez cet e-mail\u00a0: rien n’a changé.',
    },
  }),
  footer: {
    onListOf: 'Vous recevez cet e-mail car cette adresse a été ajoutée à la liste de',
    yourData: 'Envie de voir vos données ou de changer d’adresse\u00a0?',
    yourPage: 'Ouvrir votre page',
    unwanted: 'Ce n’était pas vous, ou vous avez changé d’avis\u00a0?',
    deleteAddress: 'Demandez-nous de supprimer votre adresse',
    unsubscribe: 'Se désabonner',
    askedFor: 'Vous recevez cet e-mail à votre demande, depuis le tableau de bord de',
    signsIn: 'Vous recevez cet e-mail car cette adresse se connecte au tableau de bord de',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('fr', count, {
      one: '# nouvelle inscription',
      many: '# de nouvelles inscriptions',
      other: '# nouvelles inscriptions',
    });
    return {
      subject: `${name}\u00a0: ${signups}`,
      preview: `Depuis le ${since}`,
      heading: signups,
      intro: `Votre liste pour ${name} s’agrandit\u00a0: ${signups} depuis le ${since}.`,
      button: 'Voir la liste',
      closing: {
        heading: 'Trop d’e-mails\u00a0?',
        text: 'Le tableau de bord peut vous envoyer un seul e-mail par jour, ou aucun.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}\u00a0: un webhook a été désactivé`,
    preview: `Rien n’a pu être transmis à ${endpoint} pendant une journée.`,
    heading: 'Un webhook a été désactivé',
    intro: `Rien n’a pu être transmis à ${endpoint} pendant une journée\u00a0: il ne reçoit donc plus d’événements. La dernière tentative s’est terminée par\u00a0: ${reason}.`,
    button: 'Ouvrir le tableau de bord',
    closing: {
      heading: 'Que faire\u00a0?',
      text: 'Vérifiez le point de terminaison, puis réactivez-le dans le tableau de bord. Les événements de la dernière journée seront alors transmis.',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}\u00a0: les campagnes sont en pause`,
    preview: `${complaints} e-mails sur ${emails} ont été signalés comme spam.`,
    heading: 'Les campagnes sont en pause',
    intro: `Depuis le ${since}, ${complaints} e-mails de ${name} sur ${emails} ont été signalés comme spam (${rate}). Au-delà de ${limit}, les fournisseurs n’acceptent plus vos e-mails\u00a0: toutes les campagnes en cours d’envoi sont donc en pause, y compris les e-mails de la série. Les confirmations et les invitations continuent.`,
    button: 'Ouvrir le tableau de bord',
    closing: {
      heading: 'Que faire\u00a0?',
      text: 'Cherchez qui n’attendait pas votre e-mail\u00a0: le plus souvent, des personnes d’une liste ancienne ou importée. Retirez-les des destinataires, puis reprenez la campagne dans le tableau de bord. D’ici là, le reste n’est pas envoyé.',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}\u00a0: une clé d’accès a été ajoutée`,
    preview: `Depuis le ${since}, elle permet de se connecter à votre compte du tableau de bord.`,
    heading: 'Une clé d’accès a été ajoutée',
    intro: `Le ${since}, une clé d’accès a été ajoutée à votre compte du tableau de bord de ${name}. Elle permet de se connecter sans e-mail.`,
    button: 'Ouvrir le tableau de bord',
    closing: {
      heading: 'Ce n’était pas vous\u00a0?',
      text: 'Quelqu’un d’autre utilise alors votre compte. Supprimez la clé d’accès dans les réglages du tableau de bord, puis choisissez «\u00a0Sign out everywhere\u00a0».',
    },
  }),
};
