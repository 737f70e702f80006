#!/usr/bin/env bash
# Traffic for a running shop: registers, lists and buys until it is stopped. Needs curl and uuidgen.
#   sample-alledeals/traffic.sh [http://localhost:8080]
set -euo pipefail
shop=${1:-http://localhost:8080}

put() { # path body -> status
  curl --silent --output /dev/null --write-out '%{http_code}' --request PUT \
    --header 'Content-Type: application/json' --data "$2" "$shop/api/$1"
}

people=()
for number in 1 2 3 4 5 6 7 8; do
  id=$(uuidgen --random)
  people+=("$id")
  put "users/$id" "{\"login\": \"traffic.$number.${id:0:8}\", \"email\": \"$id@example.org\", \"age\": 30}" >/dev/null
done

while true; do
  item=$(uuidgen --time)
  end=$(date --utc --date '+1 day' +%Y-%m-%dT%H:%M:%SZ)
  put "items/$item" "{\"sellerId\": \"${people[0]}\", \"name\": \"Box $RANDOM\", \"description\": \"A box.\",
    \"unitPrice\": 2.50, \"offeredUnits\": 10, \"endDate\": \"$end\", \"tags\": [\"traffic\", \"box\"]}" >/dev/null
  answers=$(
    for buyer in "${people[@]:1}"; do
      for quantity in 1 2; do
        put "items/$item/purchases/$(uuidgen --time)" "{\"buyerId\": \"$buyer\", \"quantity\": $quantity}" &
        echo
      done
    done
    wait
  )
  echo "$item: $(grep -o 201 <<<"$answers" | wc -l) bought, $(grep -o 409 <<<"$answers" | wc -l) refused"
done
