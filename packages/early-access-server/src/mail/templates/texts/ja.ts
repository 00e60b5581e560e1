import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Japanese, in the polite form. */
export const ja: Texts = {
  welcome: ({ name, host }) => ({
    subject: `${name}のリストに登録されました`,
    preview: '順番が来ましたら、メールでお知らせします。これ以上の操作は必要ありません。',
    heading: 'リストに登録されました',
    intro: `ご登録ありがとうございます。${name}のリストへの登録が完了しました。`,
    button: `${host}を見る`,
    closing: {
      heading: '今後について',
      text: 'これ以上の操作は必要ありません。順番が来ましたら、メールでお知らせします。',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `${name}：メールアドレスをご確認ください`,
    preview: 'メールアドレスを確認すると、リストへの登録が完了します。',
    heading: 'あと1ステップです',
    intro: `ご登録ありがとうございます。ご本人のメールアドレスであることを確認していただくと、${name}のリストへの登録が完了します。`,
    button: 'メールアドレスを確認する',
    closing: {
      heading: 'ご注意',
      text: `リンクの有効期間は${days}日間です。お心当たりがない場合は、このメールを無視してください。アドレスは削除されます。`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `${name}のリストへの登録がまだ完了していません`,
    preview: 'メールアドレスの確認がまだお済みではありません。',
    heading: '登録がまだ完了していません',
    intro: `数日前に${name}にご登録いただきましたが、メールアドレスの確認がまだお済みではありません。確認していただくと、リストへの登録が完了します。`,
    button: 'メールアドレスを確認する',
    closing: {
      heading: '登録をご希望でない場合',
      text: `このメールを無視してください。今後お知らせすることはなく、アドレスは削除されます。リンクの有効期間は${days}日間です。`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `${name}への招待`,
    preview: '順番が来ました。お待ちいただきありがとうございました。',
    heading: '順番が来ました',
    intro: `お待ちいただきありがとうございました。${name}をご利用いただけるようになりました。招待リンクを開いて、ご利用を開始してください。`,
    button: '招待を受ける',
    closing: {
      heading: 'ご注意',
      text: `このリンクはあなた専用です。${days}日間、1回だけ使用できます。`,
    },
  }),
  status: ({ name }) => ({
    subject: `${name}のリストのマイページ`,
    preview: 'ご請求のリンクをお送りします。',
    heading: 'マイページ',
    intro: `ご請求のリンクをお送りします。マイページでは、${name}のリストでの状況と、保存されているご自身の情報を確認できます。`,
    button: 'マイページを開く',
    closing: {
      heading: 'ご注意',
      text: 'このリンクはあなた専用です。お心当たりがない場合は、このメールを無視してください。何も変更されていません。',
    },
  }),
  footer: {
    onListOf: 'このメールは、次のリストに追加されたメールアドレスにお送りしています：',
    yourData: '登録内容の確認やアドレスの変更：',
    yourPage: '専用ページを開く',
    unwanted: 'お心当たりがない場合や、登録をやめる場合：',
    deleteAddress: 'アドレスの削除を依頼する',
    unsubscribe: '配信を停止する',
    askedFor: 'このメールは、次のダッシュボードでの設定によりお送りしています：',
    signsIn: 'このアドレスがログインに使われているため、このメールをお送りしました。対象のダッシュボード：',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('ja', count, { other: '新規登録#件' });
    return {
      subject: `${name}：${signups}`,
      preview: `${since}以降`,
      heading: signups,
      intro: `${name}のリストに登録がありました。${since}以降の${signups}です。`,
      button: 'リストを見る',
      closing: {
        heading: 'メールが多すぎる場合',
        text: 'ダッシュボードで、1日1通にまとめるか、停止することができます。',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}：Webhookが無効になりました`,
    preview: `${endpoint}への配信が1日間失敗しました。`,
    heading: 'Webhookが無効になりました',
    intro: `${endpoint}への配信が1日間失敗したため、イベントの送信を停止しました。最後の試行の結果：${reason}`,
    button: 'ダッシュボードを開く',
    closing: {
      heading: '対処方法',
      text: 'エンドポイントを確認し、ダッシュボードで再び有効にしてください。直近1日分のイベントが配信されます。',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}：キャンペーンを一時停止しました`,
    preview: `${emails}通のうち${complaints}通が迷惑メールとして報告されました。`,
    heading: 'キャンペーンを一時停止しました',
    intro: `${since}以降、${name}からのメール${emails}通のうち${complaints}通が迷惑メールとして報告されました（${rate}）。${limit}を超えるとメールプロバイダーが受信を拒否するため、配信中のすべてのキャンペーンを、シリーズのメールも含めて一時停止しました。確認メールと招待メールの送信は続きます。`,
    button: 'ダッシュボードを開く',
    closing: {
      heading: '対処方法',
      text: 'メールを予期していなかった人を確認してください。多くの場合、古いリストやインポートしたリストの人です。その人たちを対象から外してから、ダッシュボードでキャンペーンを再開してください。それまで残りは送信されません。',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}：パスキーが追加されました`,
    preview: `${since}以降、ダッシュボードのアカウントにログインできます。`,
    heading: 'パスキーが追加されました',
    intro: `${since}に、${name}のダッシュボードのアカウントにパスキーが追加されました。メールなしでログインできます。`,
    button: 'ダッシュボードを開く',
    closing: {
      heading: '心当たりがない場合',
      text: 'ほかの人がアカウントを使っています。ダッシュボードの設定でパスキーを削除し、「Sign out everywhere」を選んでください。',
    },
  }),
};
