import { countText } from './count-text.ts';
import type { Texts } from './en.ts';

/** Chinese in simplified characters, addressing the person as “你”. */
export const zhHans: Texts = {
  welcome: ({ name, host }) => ({
    subject: `你已加入 ${name} 的名单`,
    preview: '轮到你时，我们会发邮件通知你。无需其他操作。',
    heading: '你已加入名单',
    intro: `感谢你的登记。我们已为你保留 ${name} 名单中的位置。`,
    button: `访问 ${host}`,
    closing: {
      heading: '接下来',
      text: '无需其他操作。轮到你时，我们会发邮件通知你。',
    },
  }),
  confirmation: ({ name, days }) => ({
    subject: `确认你在 ${name} 登记的邮箱`,
    preview: '确认邮箱地址，即可保留你在名单中的位置。',
    heading: '还差一步',
    intro: `感谢你的登记。请确认这是你的邮箱地址，我们将为你保留 ${name} 名单中的位置。`,
    button: '确认我的邮箱',
    closing: {
      heading: '温馨提示',
      text: `链接有效期为 ${days} 天。如果不是你本人登记，请忽略此邮件，我们会删除你的邮箱地址。`,
    },
  }),
  reminder: ({ name, days }) => ({
    subject: `你在 ${name} 名单中的位置`,
    preview: '你的邮箱地址尚未确认。',
    heading: '还感兴趣吗？',
    intro: `几天前你登记了 ${name}，但邮箱地址尚未确认。确认后，我们将为你保留名单中的位置。`,
    button: '确认我的邮箱',
    closing: {
      heading: '改变主意了？',
      text: `请忽略此邮件。我们不会再次提醒，并会删除你的邮箱地址。链接有效期为 ${days} 天。`,
    },
  }),
  invite: ({ name, days }) => ({
    subject: `${name} 邀请你加入`,
    preview: '轮到你了，感谢等候。',
    heading: '轮到你了',
    intro: `感谢等候。你在 ${name} 的名额已准备好：打开邀请即可开始。`,
    button: '接受邀请',
    closing: {
      heading: '温馨提示',
      text: `此链接仅供你本人使用，${days} 天内有效，且只能使用一次。`,
    },
  }),
  status: ({ name }) => ({
    subject: `你在 ${name} 名单中的页面`,
    preview: '你请求的链接。',
    heading: '你的页面',
    intro: `这是你请求的链接。你的页面会显示你在 ${name} 名单中的状态，以及保存的与你有关的数据。`,
    button: '打开你的页面',
    closing: {
      heading: '温馨提示',
      text: '此链接仅供你本人使用。如果不是你请求的，请忽略此邮件：一切均未更改。',
    },
  }),
  footer: {
    onListOf: '你收到此邮件，是因为此邮箱地址已加入以下网站的名单：',
    yourData: '查看你的数据或更改邮箱地址：',
    yourPage: '打开你的页面',
    unwanted: '如果不是你本人登记，或你改变了主意：',
    deleteAddress: '请我们删除你的邮箱地址',
    unsubscribe: '退订',
    askedFor: '你收到此邮件，是因为你在以下网站的管理面板中选择了接收：',
    signsIn: '你收到这封邮件，是因为此地址可登录以下网站的管理面板：',
  },
  signupsNotice: ({ name, count, since }) => {
    const signups = countText('zh-Hans', count, { other: '新增登记 # 条' });
    return {
      subject: `${name}：${signups}`,
      preview: `自 ${since} 起`,
      heading: signups,
      intro: `${name} 的名单正在增长：自 ${since} 起${signups}。`,
      button: '查看名单',
      closing: {
        heading: '邮件太多？',
        text: '管理面板可以改为每天只发一封邮件，或不发送。',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }) => ({
    subject: `${name}：一个 Webhook 已停用`,
    preview: `一天内无法向 ${endpoint} 投递任何内容。`,
    heading: '一个 Webhook 已停用',
    intro: `一天内无法向 ${endpoint} 投递任何内容，因此它不再接收事件。最后一次尝试的结果：${reason}。`,
    button: '打开管理面板',
    closing: {
      heading: '如何处理',
      text: '请检查接收端点，然后在管理面板中重新启用。届时将投递最近一天的事件。',
    },
  }),
  complaintsNotice: ({ name, emails, complaints, rate, limit, since }) => ({
    subject: `${name}：群发邮件已暂停`,
    preview: `${emails} 封邮件中有 ${complaints} 封被举报为垃圾邮件。`,
    heading: '群发邮件已暂停',
    intro: `自 ${since} 起，${name} 发出的 ${emails} 封邮件中有 ${complaints} 封被举报为垃圾邮件（${rate}）。超过 ${limit} 时，邮件服务商会停止接收你的邮件，因此所有正在发送的群发邮件（包括系列邮件）现已暂停。确认邮件和邀请邮件照常发送。`,
    button: '打开管理面板',
    closing: {
      heading: '如何处理',
      text: '请找出哪些人没有预料到会收到你的邮件：通常来自旧名单或导入的名单。将他们从收件人中排除，然后在管理面板中继续发送。在此之前，其余邮件不会发送。',
    },
  }),
  passkeyNotice: ({ name, since }) => ({
    subject: `${name}：已添加通行密钥`,
    preview: `自 ${since} 起，它可以登录你的管理面板账户。`,
    heading: '已添加通行密钥',
    intro: `${since}，你在 ${name} 管理面板的账户添加了一个通行密钥。使用它无需邮件即可登录。`,
    button: '打开管理面板',
    closing: {
      heading: '不是你本人操作？',
      text: '那么有其他人在使用你的账户。请在管理面板的设置中删除该通行密钥，并选择“Sign out everywhere”。',
    },
  }),
};
