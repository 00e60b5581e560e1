import type { OwnPageTexts } from './en.ts';

/** French, addressing the visitor as « vous ». Two-part punctuation follows a no-break space. */
export const fr: OwnPageTexts = {
  unconfirmedText: 'Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient pour confirmer votre adresse.',
  duplicateText: 'Vous n’avez plus rien à faire. Nous vous écrirons dès que la bêta sera prête.',
  invalidText: 'Revenez en arrière et vérifiez l’adresse. Elle doit ressembler à nom@example.com.',
  disposableTitle: 'Les adresses e-mail temporaires ne sont pas acceptées. Veuillez en utiliser une autre.',
  disposableText: 'Revenez en arrière et saisissez une adresse que vous consultez régulièrement.',
  undeliverableTitle: 'Cette adresse ne peut pas recevoir d’e-mails. Veuillez la vérifier.',
  missingFieldTitle: 'Il manque quelque chose',
  missingFieldText: 'Revenez en arrière et remplissez ce champ\u00a0:',
  invalidFieldTitle: 'Une correction est nécessaire',
  invalidFieldText: 'Revenez en arrière et vérifiez ce champ\u00a0:',
  failedText: 'Revenez en arrière et renvoyez le formulaire dans une minute.',
  refusedTitle: 'Ce formulaire ne permet pas de s’inscrire ici',
  noOriginText:
    'La page qui le contient n’indique pas à quel site elle appartient. Ouvrez-la dans son propre onglet et envoyez le formulaire depuis celui-ci. S’il s’agit de votre page\u00a0: une iframe avec «\u00a0sandbox\u00a0» a besoin de «\u00a0allow-same-origin\u00a0», et la page d’une politique de référent qui envoie son origine.',
  foreignOriginText:
    'Ce serveur n’accepte pas d’inscriptions depuis la page d’où vous venez. S’il s’agit de votre page, son origine doit être autorisée dans les paramètres du serveur.',
  confirmTitle: 'Confirmez votre adresse e-mail',
  confirmText: 'Un clic, et vous êtes sur la liste.',
  confirmButton: 'Confirmer',
  confirmNeedsScripts: 'Cette page nécessite JavaScript. Activez-le ou ouvrez le lien dans un autre navigateur.',
  alreadyConfirmedTitle: 'Vous êtes déjà sur la liste\u00a0!',
  expiredTitle: 'Ce lien a expiré',
  expiredText: 'Un lien de confirmation est valable une semaine. Nous pouvons vous en envoyer un nouveau.',
  renewButton: 'Envoyer un nouveau lien',
  openInbox: 'Ouvrir ma boîte mail',
  renewedTitle: 'Consultez votre boîte mail',
  renewedText: 'Si votre adresse n’est pas encore confirmée, un nouvel e-mail est en route.',
  unknownTitle: 'Ce lien ne fonctionne pas',
  unknownText: 'Il est peut-être incomplet\u00a0: rouvrez-le depuis l’e-mail ou copiez-le en entier.',
  tryLater: 'Cela n’a pas fonctionné. Veuillez réessayer dans une minute.',
  unsubscribeTitle: 'Se désabonner\u00a0?',
  unsubscribeText: 'Vous ne recevrez plus d’e-mails de notre part.',
  unsubscribeButton: 'Se désabonner',
  unsubscribedTitle: 'Votre désabonnement est confirmé',
  unsubscribedText:
    'Vous ne recevrez plus d’e-mails de notre part. Si vous changez d’avis, inscrivez-vous de nouveau sur notre page.',
  back: 'Retour à la page',
};
