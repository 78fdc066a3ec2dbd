# Commands for the drills of docs/drills.md, in bash, beside a running `npm start`: . tools/ops/drill.sh
site=http://localhost:${PORT:-8787}
drill_log=${DATA_DIR:-.data}/log/site.log
drill_seen=0

# call PATH [JSON]: a call of the API by the last buyer.
call() { curl -s "$site/api/$1" -H "authorization: Bearer $token" -H 'content-type: application/json' ${2:+-d "$2"}; }

# buyer NAME: registers an account whose name begins so, and signs it in.
buyer() {
  local name=$1$RANDOM
  token=
  token=$(call auth/register "{\"username\":\"$name\",\"email\":\"$name@example.test\",\"password\":\"Quiet-Otter-42\",\"confirmPassword\":\"Quiet-Otter-42\"}" | grep -o '"token":"[^"]*' | cut -d'"' -f4)
}

# confirm: proves the address of the newest mail.
confirm() {
  sleep 1
  local link
  link=$(curl -s "$site/__local/mail.json" | grep -o 'verify-email/[A-Za-z0-9_-]*' | head -1)
  call "auth/$link" >/dev/null
}

# buy: orders a plan and leaves the order's id in $order. pay [OUTCOME]: pays it, and leaves the payment's id in $payment.
buy() { order=$(call payment/create-order '{"planType":"pro"}' | grep -o 'order_[A-Za-z0-9]*' | head -1); }
pay() {
  payment=$(emu payments "{\"order_id\":\"$order\",\"outcome\":\"${1:-success}\"}" | grep -o 'pay_EMU[A-Za-z0-9]*' | head -1)
  sleep 2 # its webhooks take a moment
}

# emu PATH JSON: a call of the emulator's control API. fault PATH CODE: /v1/PATH answers with this status, and silence: no
# webhook arrives, until mended.
emu() { curl -s "http://localhost:${RAZORPAY_PORT:-8790}/__emu/$1" -H 'x-emu-control: local' -H 'content-type: application/json' -d "$2"; }
fault() { emu faults "{\"match\":{\"path\":\"/v1/$1\"},\"times\":null,\"action\":{\"type\":\"status\",\"code\":$2}}" >/dev/null; }
silence() { emu faults '{"match":{},"times":null,"action":{"type":"lost"}}' >/dev/null; }
mended() { curl -s -X DELETE "http://localhost:${RAZORPAY_PORT:-8790}/__emu/faults" -H 'x-emu-control: local' >/dev/null; }

# copies KIND COUNT FIELDS: so many records of now at the emulator, like the first of its kind but for these fields.
copies() {
  curl -s "http://localhost:${RAZORPAY_PORT:-8790}/__emu/state" -H 'x-emu-control: local' | node -e '
    const [, kind, count, fields] = process.argv
    const [one] = Object.values(JSON.parse(fs.readFileSync(0, "utf8"))[kind])
    const created_at = Math.floor(Date.now() / 1000)
    const ids = Array.from({ length: Number(count) }, (_, i) => "pay_EMUdrill" + String(i).padStart(6, "0"))
    const copy = (id) => ({ ...one, entity: { ...one.entity, id, created_at, ...JSON.parse(fields) } })
    console.log(JSON.stringify({ [kind]: Object.fromEntries(ids.map((id) => [id, copy(id)])) }))' "$@" |
    curl -s "http://localhost:${RAZORPAY_PORT:-8790}/__emu/import" -H 'x-emu-control: local' \
      -H 'content-type: application/json' -d @- >/dev/null
}

# last_webhook: the body of the last one. webhook: sends its input as one, signed.
last_webhook() {
  curl -s "http://localhost:${RAZORPAY_PORT:-8790}/__emu/webhook/deliveries" -H 'x-emu-control: local' |
    node -pe 'JSON.parse(fs.readFileSync(0)).deliveries.at(-1).body'
}
webhook() {
  local body sign
  body=$(cat)
  sign=$(printf %s "$body" | openssl dgst -sha256 -hmac "${WEBHOOK_SECRET:-emu_webhook_secret_0001}" | sed 's/.* //')
  curl -s "$site/api/webhooks/razorpay" -H "x-razorpay-signature: $sign" -d "$body" >/dev/null
}

# sql STATEMENT: on the local database. minute, daily: what cron runs. due: makes every purchase due for its check.
sql() { curl -s "http://127.0.0.1:${DB_PORT:-8788}" -d "{\"statements\":[\"$1\"]}" >/dev/null; }
minute() { curl -s "$site/cdn-cgi/local/scheduled?cron=*+*+*+*+*" >/dev/null; }
daily() { curl -s "$site/cdn-cgi/local/scheduled?cron=17+3+*+*+*" >/dev/null; }
due() { sql "UPDATE purchases SET next_check_at = 0 WHERE next_check_at IS NOT NULL"; }

# alerts: those in the log since it was last asked.
alerts() {
  sleep 1
  tail -n "+$((drill_seen + 1))" "$drill_log" | grep -o '{.*"level":"alert".*}'
  drill_seen=$(wc -l <"$drill_log")
}
