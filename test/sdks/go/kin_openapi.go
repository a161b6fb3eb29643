// Validates a document with its examples and defaults.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	document, err := openapi3.NewLoader().LoadFromFile(os.Args[1])
	if err == nil {
		err = document.Validate(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("valid")
}
