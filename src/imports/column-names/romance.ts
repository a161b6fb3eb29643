import type { NamesByGroup } from './meanings.ts';

/** Column names in French, Spanish, Italian and Portuguese. */
export const romanceNames: NamesByGroup = {
  French: {
    name: 'Nom | Nom complet | Nom et prénom | Prénom et nom | Nom Prénom | Prénom Nom | Nom, Prénom | Votre nom | Nom du contact | Personne de contact | Interlocuteur | Nom du client | Nom affiché',
    'name?': 'Contact | Client | Prospect | Participant',
    'name.first': 'Prénom | Prénoms',
    'name.middle': 'Deuxième prénom | Second prénom | Autre prénom',
    'name.last': 'Nom de famille | Nom patronymique | Nom usuel',
    'name.prefix': 'Civilité | Titre de civilité | Formule de politesse | Préfixe',
    email:
      'Adresse e-mail | Adresse électronique | Courriel | Adresse courriel | Adresse mail | Mél | Votre e-mail | Votre adresse e-mail | E-mail professionnel | E-mail pro | E-mail personnel | E-mail principal | E-mail secondaire',
    phone:
      'Téléphone | Tél | Numéro de téléphone | N° de téléphone | N° téléphone | Téléphone portable | Portable | Téléphone mobile | Numéro de portable | Téléphone fixe | Fixe | Téléphone professionnel | Téléphone bureau | Téléphone domicile | Téléphone principal | Votre téléphone | GSM',
    company:
      "Société | Entreprise | Nom de l'entreprise | Nom de la société | Raison sociale | Organisation | Organisme | Employeur | Compte | Nom du compte | Établissement",
    title:
      'Fonction | Poste | Intitulé du poste | Titre du poste | Profession | Métier | Rôle | Poste occupé',
    'title?': 'Titre',
    status:
      'Statut | État | Statut du lead | Statut de la piste | Statut du prospect | Étape | Phase | Étape de vente',
    source:
      'Source | Origine | Provenance | Source du lead | Source du prospect | Origine du contact | Origine du lead | Comment nous avez-vous connu',
    tags: 'Étiquettes | Étiquette | Mots-clés | Catégories | Catégorie | Libellés',
    'value.amount':
      'Montant | Valeur du deal | Montant estimé | Revenu espéré | Revenu attendu | Valeur estimée',
    'value.amount?': 'Valeur | Prix | Revenu | CA',
    'value.currency': 'Devise | Monnaie | Code devise',
    expected_close_on:
      'Date de clôture | Date de clôture prévue | Date de fermeture | Clôture prévue | Date de signature prévue | Date de conclusion',
    lost_reason: 'Raison de la perte | Motif de perte | Raison perte | Motif de refus | Cause de la perte',
    external_id: 'ID externe | Identifiant externe | Référence externe',
    id: 'Identifiant | N° client | Numéro client | Référence | Référence client | Code client | ID client',
    note: 'Remarque | Remarques | Commentaire | Commentaires | Message | Votre message | Description | Observation | Observations',
    owner:
      'Propriétaire | Responsable | Attribué à | Assigné à | Commercial | Vendeur | Chargé de clientèle | Propriétaire du contact | Propriétaire de la piste',
    created:
      'Créé le | Date de création | Créé | Date de saisie | Ajouté le | Date d’ajout | Horodatage | Date d’inscription',
    other:
      "Site web | Site internet | Site | Télécopie | Adresse | Rue | Ville | Code postal | CP | Pays | Région | Département | Date de naissance | Anniversaire | Sexe | Langue | Secteur | Secteur d'activité | Service | Effectif | Chiffre d'affaires | Surnom | Modifié le | Dernière modification",
  },
  Spanish: {
    name: 'Nombre | Nombre completo | Nombre y apellidos | Nombre y apellido | Nombres y apellidos | Apellidos y nombre | Apellidos, Nombre | Su nombre | Tu nombre | Nombre del contacto | Nombre de contacto | Persona de contacto | Nombre del cliente',
    'name?': 'Contacto | Cliente | Prospecto | Interesado | Asistente',
    'name.first': 'Nombre de pila | Primer nombre | Nombres',
    'name.middle': 'Segundo nombre',
    'name.last': 'Apellidos | Apellido | Primer apellido | Apellido paterno',
    'name.prefix': 'Tratamiento | Saludo | Prefijo | Prefijo del nombre',
    email:
      'Correo electrónico | Correo | Dirección de correo electrónico | Dirección de correo | Correo-e | E-mail | Su correo electrónico | Tu correo electrónico | Correo del trabajo | Correo personal | Correo principal | Dirección de e-mail',
    phone:
      'Teléfono | Número de teléfono | Nº de teléfono | N° teléfono | Teléfono móvil | Móvil | Número de móvil | Celular | Número de celular | Teléfono celular | Teléfono fijo | Teléfono del trabajo | Teléfono de trabajo | Teléfono de la oficina | Teléfono de contacto | Teléfono principal | Teléfono particular | Tfno | Telf',
    company:
      'Empresa | Nombre de la empresa | Nombre de empresa | Compañía | Nombre de la compañía | Organización | Razón social | Cuenta | Nombre de la cuenta | Negocio',
    title: 'Cargo | Puesto | Puesto de trabajo | Función | Profesión | Ocupación | Rol | Nombre del puesto',
    'title?': 'Título',
    'status?': 'Estado',
    status: 'Estado del lead | Estatus | Estado del prospecto | Etapa | Fase | Etapa del negocio',
    source:
      'Fuente | Origen | Fuente del lead | Procedencia | Origen del lead | Origen del contacto | Fuente original | Cómo nos conoció | Cómo nos conociste',
    tags: 'Etiquetas | Etiqueta | Categorías | Categoría | Palabras clave',
    'value.amount':
      'Importe | Monto | Valor del negocio | Importe estimado | Ingresos esperados | Valor estimado',
    'value.amount?': 'Valor | Precio | Ingresos | Cantidad',
    'value.currency': 'Moneda | Divisa | Código de moneda',
    expected_close_on:
      'Fecha de cierre | Fecha de cierre prevista | Fecha prevista de cierre | Fecha de cierre esperada | Cierre previsto | Fecha estimada de cierre | Cierre esperado',
    lost_reason:
      'Motivo de pérdida | Razón de pérdida | Motivo de la pérdida | Razón de la pérdida | Motivo perdido',
    external_id: 'ID externo | Identificador externo | Referencia externa',
    id: 'Identificador | Nº de cliente | Número de cliente | Código de cliente | ID de cliente | Referencia',
    note: 'Nota | Notas | Comentario | Comentarios | Observaciones | Mensaje | Su mensaje | Descripción',
    owner:
      'Propietario | Responsable | Asignado a | Comercial | Vendedor | Propietario del contacto | Propietario del lead | Ejecutivo',
    created:
      'Creado | Creado el | Fecha de creación | Fecha de alta | Fecha de registro | Marca temporal | Fecha de ingreso',
    other:
      'Sitio web | Página web | Web | Dirección | Calle | Ciudad | Código postal | CP | País | Provincia | Región | Fecha de nacimiento | Cumpleaños | Género | Sexo | Idioma | Sector | Industria | Departamento | Empleados | Facturación | Apodo | Modificado | Última modificación',
  },
  Italian: {
    name: 'Nome | Nome completo | Nome e cognome | Cognome e nome | Nome Cognome | Cognome Nome | Cognome, Nome | Nominativo | Il tuo nome | Nome contatto | Nome del contatto | Persona di contatto | Referente | Nome cliente',
    'name?': 'Contatto | Cliente | Partecipante | Potenziale cliente',
    'name.first': 'Nome di battesimo | Primo nome',
    'name.middle': 'Secondo nome',
    'name.last': 'Cognome',
    'name.prefix': 'Appellativo | Titolo di cortesia | Prefisso | Prefisso nome',
    email:
      'Indirizzo email | Indirizzo e-mail | Indirizzo di posta elettronica | Posta elettronica | E-mail lavoro | E-mail aziendale | E-mail personale | La tua email',
    phone:
      'Telefono | Numero di telefono | Numero telefono | Numero telefonico | Cellulare | Numero di cellulare | Telefono cellulare | Telefono mobile | Telefono fisso | Telefono ufficio | Telefono lavoro | Telefono casa | Recapito telefonico',
    company:
      "Azienda | Nome azienda | Nome dell'azienda | Società | Nome società | Impresa | Ditta | Ragione sociale | Organizzazione | Nome account",
    title:
      'Qualifica | Posizione | Ruolo | Mansione | Professione | Posizione lavorativa | Ruolo aziendale | Funzione | Incarico',
    'title?': 'Titolo',
    status: 'Stato | Stato del lead | Stato lead | Fase | Stato contatto | Stadio',
    source:
      'Fonte | Origine | Provenienza | Fonte del lead | Fonte lead | Origine del contatto | Come ci hai conosciuto',
    tags: 'Etichette | Etichetta | Categorie | Categoria | Parole chiave',
    'value.amount':
      "Importo | Valore dell'affare | Valore affare | Valore stimato | Importo stimato | Ricavo previsto | Valore trattativa",
    'value.amount?': 'Valore | Prezzo | Ricavo | Fatturato',
    'value.currency': 'Valuta | Codice valuta | Divisa',
    expected_close_on:
      'Data di chiusura | Data chiusura | Data di chiusura prevista | Data chiusura prevista | Chiusura prevista',
    lost_reason: 'Motivo della perdita | Motivo perdita | Motivo di perdita | Causa perdita',
    external_id: 'ID esterno | Identificativo esterno | Codice esterno | Riferimento esterno',
    id: 'Codice cliente | Numero cliente | ID cliente | Identificativo | Riferimento',
    note: 'Nota | Note | Commento | Commenti | Osservazioni | Messaggio | Il tuo messaggio | Descrizione',
    owner:
      'Proprietario | Responsabile | Assegnato a | Commerciale | Venditore | Agente | Proprietario del contatto | Proprietario lead',
    created:
      'Creato il | Data di creazione | Data creazione | Data inserimento | Data di inserimento | Data registrazione | Informazioni cronologiche',
    other:
      'Sito web | Sito | Sito internet | Indirizzo | Via | Città | CAP | Paese | Provincia | Regione | Data di nascita | Compleanno | Sesso | Lingua | Settore | Reparto | Dipendenti | Soprannome | Modificato il | Ultima modifica',
  },
  Portuguese: {
    name: 'Nome | Nome completo | Nome e sobrenome | Nome e apelido | Seu nome | Nome do contato | Nome do contacto | Nome de contato | Pessoa de contato | Pessoa de contacto | Nome do cliente | Nome do lead',
    'name?': 'Contato | Contacto | Cliente | Participante | Interessado',
    'name.first': 'Primeiro nome | Nome próprio | Prenome',
    'name.middle': 'Nome do meio | Segundo nome',
    'name.last': 'Sobrenome | Apelido | Último nome | Nome de família',
    'name.prefix': 'Tratamento | Saudação | Forma de tratamento | Prefixo',
    email:
      'Endereço de e-mail | Endereço de email | Correio eletrônico | Correio electrónico | Endereço eletrônico | Seu e-mail | E-mail comercial | E-mail profissional | E-mail corporativo | E-mail pessoal | E-mail principal',
    phone:
      'Telefone | Número de telefone | Número do telefone | Nº de telefone | Celular | Número de celular | Telefone celular | Telemóvel | Número de telemóvel | Telefone fixo | Telefone comercial | Telefone residencial | Telefone de contato | Telefone do trabalho | Seu telefone | Fone',
    company:
      'Empresa | Nome da empresa | Companhia | Organização | Razão social | Nome fantasia | Conta | Nome da conta | Entidade | Empregador',
    title: 'Cargo | Função | Profissão | Ocupação | Posição | Título do cargo | Cargo na empresa',
    'title?': 'Título',
    status: 'Status | Situação | Status do lead | Estado do lead | Etapa | Fase | Estágio | Etapa do funil',
    source:
      'Origem | Fonte | Origem do lead | Fonte do lead | Origem do contato | Proveniência | Canal de origem | Como nos conheceu | Como conheceu a empresa',
    tags: 'Etiquetas | Etiqueta | Marcadores | Marcador | Categorias | Categoria | Palavras-chave',
    'value.amount':
      'Montante | Quantia | Valor do negócio | Valor estimado | Valor da oportunidade | Receita esperada | Valor do contrato',
    'value.amount?': 'Valor | Preço | Receita',
    'value.currency': 'Moeda | Código da moeda | Divisa',
    expected_close_on:
      'Data de fechamento | Data de fecho | Data prevista de fechamento | Previsão de fechamento | Data de fechamento prevista | Data esperada de fechamento | Data de encerramento',
    lost_reason: 'Motivo da perda | Motivo de perda | Razão da perda',
    external_id: 'ID externo | Identificador externo | Referência externa | Código externo',
    id: 'Código do cliente | Número do cliente | ID do cliente | Identificador | Código | Referência',
    note: 'Nota | Notas | Comentário | Comentários | Observação | Observações | Mensagem | Sua mensagem | Descrição',
    owner:
      'Proprietário | Responsável | Atribuído a | Vendedor | Consultor | Proprietário do contato | Proprietário do lead | Dono',
    created:
      'Criado em | Data de criação | Data de cadastro | Cadastrado em | Data de registro | Data de registo | Carimbo de data/hora | Data de entrada',
    other:
      'Site | Página | Endereço | Rua | Bairro | Cidade | CEP | Código postal | País | Estado/UF | UF | Região | Data de nascimento | Aniversário | Gênero | Sexo | Idioma | Setor | Segmento | Departamento | CNPJ | CPF | NIF | Funcionários | Modificado em | Última modificação',
  },
};
