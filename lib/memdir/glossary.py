"""Which words mean the same to recall, and which say little: developers' English, Chinese, Japanese and Korean."""

# One group: the English word that stands for the others, as the stem that `tokens` makes of it; so are the other
# English words. Words of scripts without blanks are found wherever they stand, the longest first.
_GROUPS = """
    alert/告警/报警/アラート api/接口 approval/承認/审批/승인 argu/arg arrai/数组/配列 async/异步/非同期
    authentic/auth/认证/認証/인증 authoriz/鉴权/授权 backend/后端/バックエンド backup/备份/バックアップ
    batch/バッチ bill/账单/计费/請求 branch/分支/ブランチ/브랜치 brows/浏览器/ブラウザ build/构建/ビルド/빌드/打包
    button/按钮/ボタン cach/缓存/キャッシュ/캐시/快取 canari/灰度 certific/证书 chart/图表 class/クラス
    client/クライアント clust/集群/クラスタ/クラスター cod/コード/代码/程式/코드 com/注释/コメント/註解
    command/命令/コマンド commit/提交/コミット/커밋 compil/编译/コンパイル component/组件/コンポーネント
    concurrenci/并发 config/cfg/configur/conf/配置/設定/설정 conflict/冲突 consum/消费/消费者/コンシューマ
    contain/容器/コンテナ crash/崩溃 custom/客户/顧客/고객 dashboard/ダッシュボード/看板/仪表盘 dat/日期
    data/数据/データ/資料/데이터 databas/db/数据库/データベース/資料庫 deadlin/截止/期限 deadlock/死锁
    debug/调试/デバッグ delet/remov/drop dependenci/dep/packag/pkg/librari/lib/依赖/依存/ライブラリ/パッケージ
    deploi/ship/releas/rollout/部署/发布/上线/发版/デプロイ/リリース/배포/佈署 directori/dir
    doc/document/文档/ドキュメント/문서 domain/域名/ドメイン download/下载/ダウンロード encrypt/加密/暗号
    enum/枚举 environ/env/环境/環境/환경 error/bug/except/failur/错误/异常/报错/例外/エラー/バグ/오류/錯誤
    event/事件/イベント export/导出/エクスポート field/column/字段/フィールド/欄位 fil/ファイル/文件/檔案/파일
    filt/筛选 fix/修复 flag/开关/フラグ form/表单/フォーム format/格式/フォーマット framework/框架/フレームワーク
    freez/冻结 frontend/前端/フロントエンド funct/函数/関数/함수 gatewai/网关/ゲートウェイ icon/图标
    idempotent/幂等/冪等 imag/镜像/イメージ import/导入/インポート incident/outag/postmortem/故障/事故/障害
    index/索引/インデックス integr/集成 javascript/js job/任务/ジョブ key/主键/密钥 kubernet/k8s latenci/延迟
    leak/泄漏 limit/限流 link/链接/リンク list/列表/リスト load/压测 local/语言/言語 lock/锁表 log/日志/ログ/로그/日誌
    login/登录/登入/ログイン mail/邮件/メール memori/内存/メモリ menu/菜单 merchant/商家 merg/合并/マージ/병합
    messag/msg/消息/メッセージ metric/指标/メトリクス migr/迁移/移行/マイグレーション/遷移 modul/模块/モジュール
    monitor/监控/監視 nam/命名 nod/节点 notific/通知 oncall/值班 ord/订单/注文/주문 pag/页面/分页/ページ
    paramet/param/param/参数 partit/分区 pay/支付/決済/결제 performanc/perf/性能 permiss/权限/権限/권한/權限
    pipelin/流水线/パイプライン polici/ポリシー port/端口/ポート postgr/pg/postgresql privaci/隐私
    procedur/手順/步骤 product/prod/生产/本番 proxi/代理/プロキシ pull/pr push/推送/プッシュ python/py
    queri/查询/クエリ/쿼리 queu/队列/キュー rat/レート rebas/变基/リベース refactor/重构/リファクタリング
    refund/退款/返金/환불 regex/正则/正規 report/上报/报表/報表 repositori/repo/仓库/リポジトリ
    request/リクエスト/请求/요청 respons/レスポンス/响应 restor/恢复/リストア retri/重试/リトライ
    review/评审/审查/レビュー/리뷰 rol/角色 rollback/回滚/ロールバック/롤백 rul/ルール runbook/手册
    schedul/定时/排期/スケジュール schema/ddl screenshot/截图 script/脚本/スクリプト search/搜索/検索
    secret/password/credential/密码/パスワード securiti/安全/セキュリティ sequenc/顺序/順序/順番/순서
    serv/服务器/サーバー/サーバ/伺服器 servic/服务/サービス/서비스 shard/分片 shop/店铺 signatur/签名/署名
    snapshot/快照 sort/排序 sql/语句 stag/stg/ステージング stock/库存/在庫 string/字符串/文字列 styl/样式/スタイル
    subscrib/订阅 sync/同步 tabl/表格/テーブル templ/模板/テンプレート tenant/租户/テナント terminal/终端
    test/测试/单测/テスト/테스트/測試 thread/线程/スレッド ticket/工单 tim/时间 timeout/超时/タイムアウト
    timezon/时区 token/令牌/トークン trac/追踪/链路 transact/事务/トランザクション transl/翻译/翻訳 typ/类型
    typescript/ts upgrad/升级 upload/上传/アップロード user/用户/ユーザー/ユーザ valid/校验/验证
    variabl/变量/変数/變數 vers/版本/バージョン/버전
"""
MEANS: "dict[str, str]" = {}
for _group in _GROUPS.split():
    _words = _group.split("/")
    MEANS.update(dict.fromkeys(_words, _words[0]))

# Terms of many prompts and many notes on any project, English ones as stems.
COMMON = frozenset(
    """
    add allow app ask availabl avoid back bad behavior behaviour best bet break build call cas chang check class
    clean clear cod com command config correct count cre current data day debug default defin delet dependenci
    different doc edit empti enabl end error everi exampl exist expect explain fail fals field fil find first fix
    follow format found full funct general handl happen help http id impl import improv includ index info input
    instead int issu item java javascript job json key kind larg last latest left level limit lin link list load
    local log long main messag method minut miss model modul month mov nam need new next nod null numb object old
    open opt ord org output pag paramet pars pass path point possibl print problem process project public python
    quest quick read readi reason refactor renam replac report request respons result return review right run sav
    say script second sect select send serv servic set setup show sid simpl singl siz slow small sort sourc split
    start stat status step stop string support system tabl task tell test text tim titl todai tool top tru try typ
    typescript undefin understand upd upgrad url user util valu variabl vers view warn week without wonder work
    writ wrong year yesterdai
    支持 直接 问题 返回 状态 功能 修改 增加 添加 删除 新增 更新 改成 处理 实现 方法 方式 使用 需要 今天 昨天 明天
    已经 然后 之后 之前 时候 所以 以及 并且 可能 应该 必须 出现 失败 成功 检查 运行 执行 启动 加上 加一 项目 系统
    部分 内容 名称 显示 提示 开始 结束 完成 优化 调整 统一 全部 第一 第二 一些 一样 相同 进行 关于 对应 目前 比较
    非常 情况 结果 原因 逻辑 流程 操作 信息 解释 说明 分析 帮忙 写一 看下 告诉 知道 想要 希望 先看 上面 下面 前面
    后面 去掉 工具 线上 本地 分钟 小时 確認 修正 追加 変更 削除 実行 実装 対応 問題 場合 必要 今日 昨日 明日 最初
    最後 処理 画面 機能 表示 出力 入力 結果 説明 教え 作成 利用 失敗 開始 추가 수정 변경 삭제 실행 구현 확인
    문제 방법 경우 필요 현재 오늘 어제 내일 처리 화면 기능 결과 원인 설명 에러 알려 려줘 해줘
    """.split()
)
