// What the journeys with both clients share.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type object = map[string]any

var tag = os.Getenv("TAG")

// verify returns the body of the delivery once its signature is verified, and whether a forged one is rejected.
func verify() ([]byte, bool) {
	var delivery struct {
		Headers map[string]string
		Body    string
	}
	check(json.Unmarshal(must(os.ReadFile(os.Getenv("DELIVERY"))), &delivery))
	headers := http.Header{}
	for name, value := range delivery.Headers {
		headers.Set(name, value)
	}
	webhook := must(standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET")))
	check(webhook.Verify([]byte(delivery.Body), headers))
	forged := strings.Replace(delivery.Body, "Zoë", "Zoe", 1)
	return []byte(delivery.Body), webhook.Verify([]byte(forged), headers) != nil
}

func print(results object) {
	fmt.Println(string(must(json.Marshal(results))))
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
